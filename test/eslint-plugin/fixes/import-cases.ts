/** What the import helper must get right. `RELEASE` stands for a use of the runtime's `releaseLease`. */

export interface ImportCase {
  name: string;
  /** In a package of type `module` (`esm/`), in one without a type (`cjs/`), or in none (`none/`). */
  file: string;
  before: string;
  after: string;
}

interface Written {
  before: string;
  after: string;
  file?: string;
}

const cases = (group: string, defaultFile: string, table: Record<string, Written>): ImportCase[] =>
  Object.entries(table).map(([name, { file = defaultFile, before, after }]) => ({
    name: `${group}: ${name}`,
    file,
    before,
    after,
  }));

const placed = cases('place', 'esm/a.js', {
  'the first line when nothing is imported': {
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'below the last import': {
    before: "import a from 'a';\nimport b from 'b';\n\nRELEASE(a, b);\n",
    after:
      "import a from 'a';\nimport b from 'b';\nimport { releaseLease } from 'lockproof';\n\nreleaseLease(a, b);\n",
  },
  'below the last import, wherever that is': {
    before: "import a from 'a';\na();\nimport b from 'b';\nRELEASE(b);\n",
    after:
      "import a from 'a';\na();\nimport b from 'b';\nimport { releaseLease } from 'lockproof';\nreleaseLease(b);\n",
  },
  "a last import's comment stays with it": {
    before: "import a from 'a'; // kept\nimport b from 'b'; /* c */ // d\nRELEASE(a, b);\n",
    after:
      "import a from 'a'; // kept\nimport b from 'b'; /* c */ // d\nimport { releaseLease } from 'lockproof';\nreleaseLease(a, b);\n",
  },
  'code behind the last import, on its line': {
    before: "import a from 'a'; RELEASE(a);\n",
    after: "import a from 'a';\nimport { releaseLease } from 'lockproof'; releaseLease(a);\n",
  },
  'code behind a comment that starts on its line': {
    before: "import a from 'a'; /* one\ntwo */ RELEASE(a);\n",
    after: "import a from 'a';\nimport { releaseLease } from 'lockproof'; /* one\ntwo */ releaseLease(a);\n",
  },
  'a minified module': {
    before: 'import a from"a";RELEASE(a)',
    after: 'import a from"a";\nimport { releaseLease } from "lockproof";releaseLease(a)',
  },
  "below 'use strict'": {
    before: "'use strict';\nRELEASE();\n",
    after: "'use strict';\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  "below 'use client', in its quotes": {
    before: '"use client";\nexport const a = RELEASE;\n',
    after: '"use client";\nimport { releaseLease } from "lockproof";\nexport const a = releaseLease;\n',
  },
  'below several directives and their comment': {
    before: "'use strict';\n'use server'; // why\n\nRELEASE();\n",
    after:
      "'use strict';\n'use server'; // why\nimport { releaseLease } from 'lockproof';\n\nreleaseLease();\n",
  },
  'a string in the middle is no directive': {
    before: "RELEASE();\n'use strict';\n",
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n'use strict';\n",
  },
  'below hashbang and licence': {
    before: '#!/usr/bin/env node\n/* licence */\nRELEASE();\n',
    after: "#!/usr/bin/env node\n/* licence */\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'below a hashbang alone': {
    before: '#!/usr/bin/env node\nRELEASE();\n',
    after: "#!/usr/bin/env node\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'below a licence in a doc comment': {
    before: '/**\n * Copyright (c) Example. MIT License.\n */\nRELEASE();\n',
    after:
      "/**\n * Copyright (c) Example. MIT License.\n */\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'below settings of linters': {
    before: '/* eslint-disable no-console */\n\n// eslint-enable\nRELEASE();\n',
    after:
      "/* eslint-disable no-console */\n\n// eslint-enable\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'a doc comment stays with its function': {
    before: '// licence\n/** Gives it back. */\nfunction f() { RELEASE(); }\n',
    after:
      "// licence\nimport { releaseLease } from 'lockproof';\n/** Gives it back. */\nfunction f() { releaseLease(); }\n",
  },
  'a comment below the header stays with its statement': {
    before: '// licence\n\n// gives it back\nRELEASE();\n',
    after: "// licence\n\nimport { releaseLease } from 'lockproof';\n// gives it back\nreleaseLease();\n",
  },
  'a comment for the next line stays above it': {
    before: '// eslint-disable-next-line no-undef\nRELEASE();\n',
    after:
      "import { releaseLease } from 'lockproof';\n// eslint-disable-next-line no-undef\nreleaseLease();\n",
  },
  'indented as its neighbour': {
    before: "\n  import a from 'a';\n  RELEASE(a);\n",
    after: "\n  import a from 'a';\n  import { releaseLease } from 'lockproof';\n  releaseLease(a);\n",
  },
  'indented as the first statement': {
    before: '\n\tRELEASE();\n',
    after: "\n\timport { releaseLease } from 'lockproof';\n\treleaseLease();\n",
  },
  CRLF: {
    before: "import a from 'a';\r\nRELEASE(a);\r\n",
    after: "import a from 'a';\r\nimport { releaseLease } from 'lockproof';\r\nreleaseLease(a);\r\n",
  },
  'CRLF, nothing imported': {
    before: '// licence\r\n\r\nRELEASE();\r\n',
    after: "// licence\r\n\r\nimport { releaseLease } from 'lockproof';\r\nreleaseLease();\r\n",
  },
  'CRLF in a list of several lines': {
    before: "import {\r\n  withLock,\r\n} from 'lockproof';\r\nRELEASE(withLock);\r\n",
    after: "import {\r\n  withLock,\r\n  releaseLease,\r\n} from 'lockproof';\r\nreleaseLease(withLock);\r\n",
  },
  'a BOM': {
    before: "\uFEFFimport a from 'a';\nRELEASE(a);\n",
    after: "\uFEFFimport a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(a);\n",
  },
  'a BOM, nothing imported': {
    before: '\uFEFFRELEASE();\n',
    after: "\uFEFFimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'two uses, one import': {
    before: "import a from 'a';\nRELEASE(a);\nRELEASE(a);\n",
    after:
      "import a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(a);\nreleaseLease(a);\n",
  },
  'export … from is no import': {
    before: "export { a } from './a';\nRELEASE();\n",
    after: "import { releaseLease } from 'lockproof';\nexport { a } from './a';\nreleaseLease();\n",
  },
  'export … from the package binds nothing': {
    before: "export { releaseLease } from 'lockproof';\nRELEASE();\n",
    after:
      "import { releaseLease } from 'lockproof';\nexport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  JSX: {
    file: 'esm/a.jsx',
    before: "import React from 'react';\nexport const A = () => <a onClick={RELEASE} />;\n",
    after:
      "import React from 'react';\nimport { releaseLease } from 'lockproof';\nexport const A = () => <a onClick={releaseLease} />;\n",
  },
});

const styled = cases('style', 'esm/a.js', {
  'no semicolons': {
    before: "import a from 'a'\nRELEASE(a)\n",
    after: "import a from 'a'\nimport { releaseLease } from 'lockproof'\nreleaseLease(a)\n",
  },
  'double quotes': {
    before: 'import a from "a";\nRELEASE(a);\n',
    after: 'import a from "a";\nimport { releaseLease } from "lockproof";\nreleaseLease(a);\n',
  },
  'an import counts more than a directive': {
    before: '"use strict";\nimport a from \'a\'\nRELEASE(a)\n',
    after: "\"use strict\";\nimport a from 'a'\nimport { releaseLease } from 'lockproof'\nreleaseLease(a)\n",
  },
  'the quotes of the source, not those of a name': {
    before: 'import { "b c" as b } from \'b\';\nRELEASE(b);\n',
    after: "import { \"b c\" as b } from 'b';\nimport { releaseLease } from 'lockproof';\nreleaseLease(b);\n",
  },
  'as an export … from has them': {
    before: 'export { a } from "./a"\nRELEASE()\n',
    after: 'import { releaseLease } from "lockproof"\nexport { a } from "./a"\nreleaseLease()\n',
  },
  'no semicolons in CommonJS': {
    before: 'const a = require("a")\nRELEASE(a)\n',
    after: 'const a = require("a")\nconst { releaseLease } = require("lockproof")\nreleaseLease(a)\n',
  },
  'a semicolon where the next line would go on': {
    before: "const a = require('a')\nconst b = require('b');\n(async () => { RELEASE(a, b) })()\n",
    after:
      "const a = require('a')\nconst b = require('b');\nconst { releaseLease } = require('lockproof');\n(async () => { releaseLease(a, b) })()\n",
  },
});

const merged = cases('merged', 'esm/a.js', {
  'into a named import': {
    before: "import { withLock } from 'lockproof';\nRELEASE(withLock);\n",
    after: "import { withLock, releaseLease } from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'behind a trailing comma': {
    before: "import { withLock, } from 'lockproof';\nRELEASE(withLock);\n",
    after: "import { withLock, releaseLease, } from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'on a line of its own': {
    before: "import {\n  withLock,\n  renewLease\n} from 'lockproof';\nRELEASE(withLock, renewLease);\n",
    after:
      "import {\n  withLock,\n  renewLease,\n  releaseLease\n} from 'lockproof';\nreleaseLease(withLock, renewLease);\n",
  },
  'on a line of its own, behind a trailing comma': {
    before: "import {\n  withLock,\n} from 'lockproof';\nRELEASE(withLock);\n",
    after: "import {\n  withLock,\n  releaseLease,\n} from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'behind a comment in the list': {
    before: "import { withLock /* all of it */ } from 'lockproof';\nRELEASE(withLock);\n",
    after: "import { withLock, /* all of it */ releaseLease } from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'behind a line comment': {
    before: "import {\n  withLock // all of it\n} from 'lockproof';\nRELEASE(withLock);\n",
    after:
      "import {\n  withLock, // all of it\n  releaseLease\n} from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'behind a trailing comma and a line comment': {
    before: "import {\n  withLock, // all of it\n} from 'lockproof';\nRELEASE(withLock);\n",
    after:
      "import {\n  withLock, // all of it\n  releaseLease,\n} from 'lockproof';\nreleaseLease(withLock);\n",
  },
  'into empty braces': {
    before: "import {} from 'lockproof';\nRELEASE();\n",
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'into braces with a comment': {
    before: "import { // later\n} from 'lockproof';\nRELEASE();\n",
    after: "import { // later\nreleaseLease\n} from 'lockproof';\nreleaseLease();\n",
  },
  'into a default import': {
    before: "import lock from 'lockproof';\nRELEASE(lock);\n",
    after: "import lock, { releaseLease } from 'lockproof';\nreleaseLease(lock);\n",
  },
  'into default and named': {
    before: "import lock, { withLock } from 'lockproof';\nRELEASE(lock, withLock);\n",
    after: "import lock, { withLock, releaseLease } from 'lockproof';\nreleaseLease(lock, withLock);\n",
  },
  'into default and empty braces': {
    before: "import lock, {} from 'lockproof';\nRELEASE(lock);\n",
    after: "import lock, { releaseLease } from 'lockproof';\nreleaseLease(lock);\n",
  },
  'not into an import for its effect': {
    before: "import 'lockproof';\nRELEASE();\n",
    after: "import 'lockproof';\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'not into an effect import behind a block': {
    before: "{}\nimport 'lockproof'\nRELEASE();\n",
    after: "{}\nimport 'lockproof'\nimport { releaseLease } from 'lockproof'\nreleaseLease();\n",
  },
  'into a destructured require': {
    before: "const { withLock } = require('lockproof');\nRELEASE(withLock);\n",
    after: "const { withLock, releaseLease } = require('lockproof');\nreleaseLease(withLock);\n",
  },
  'into a require that destructures nothing': {
    before: "const {} = require('lockproof');\nRELEASE();\n",
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  'into one of several requires': {
    before: "var a = require('a'),\n  { withLock } = require('lockproof');\nRELEASE(a, withLock);\n",
    after:
      "var a = require('a'),\n  { withLock, releaseLease } = require('lockproof');\nreleaseLease(a, withLock);\n",
  },
  'not into a require that takes the rest': {
    before: "const { withLock, ...rest } = require('lockproof');\nRELEASE(withLock, rest);\n",
    after:
      "const { withLock, ...rest } = require('lockproof');\nconst { releaseLease } = require('lockproof');\nreleaseLease(withLock, rest);\n",
  },
  'not into a require below the use': {
    before:
      "const a = require('a');\nfunction f() { RELEASE(a); }\nf();\nconst { withLock } = require('lockproof');\nwithLock();\n",
    after:
      "const a = require('a');\nconst { releaseLease } = require('lockproof');\nfunction f() { releaseLease(a); }\nf();\nconst { withLock } = require('lockproof');\nwithLock();\n",
  },
  'into the require of an ES module': {
    before:
      "import { createRequire } from 'module';\nconst require = createRequire(import.meta.url);\nconst { withLock } = require('lockproof');\nRELEASE(withLock);\n",
    after:
      "import { createRequire } from 'module';\nconst require = createRequire(import.meta.url);\nconst { withLock, releaseLease } = require('lockproof');\nreleaseLease(withLock);\n",
  },
});

const reused = cases('there already', 'esm/a.js', {
  'the name': {
    before: "import { releaseLease } from 'lockproof';\nRELEASE();\n",
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'an alias': {
    before: "import { releaseLease as free } from 'lockproof';\nRELEASE();\n",
    after: "import { releaseLease as free } from 'lockproof';\nfree();\n",
  },
  'an alias of a name in quotes': {
    before: "import { 'releaseLease' as free } from 'lockproof';\nRELEASE();\n",
    after: "import { 'releaseLease' as free } from 'lockproof';\nfree();\n",
  },
  'a namespace': {
    before: "import * as lp from 'lockproof';\nRELEASE();\n",
    after: "import * as lp from 'lockproof';\nlp.releaseLease();\n",
  },
  'default and namespace': {
    before: "import lock, * as lp from 'lockproof';\nRELEASE(lock);\n",
    after: "import lock, * as lp from 'lockproof';\nlp.releaseLease(lock);\n",
  },
  'the name counts more than the namespace': {
    before: "import * as lp from 'lockproof';\nimport { releaseLease } from 'lockproof';\nRELEASE(lp);\n",
    after: "import * as lp from 'lockproof';\nimport { releaseLease } from 'lockproof';\nreleaseLease(lp);\n",
  },
  'a required name': {
    before: "const { releaseLease } = require('lockproof');\nRELEASE();\n",
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  'an alias of a require': {
    before: "const { releaseLease: free } = require('lockproof');\nRELEASE();\n",
    after: "const { releaseLease: free } = require('lockproof');\nfree();\n",
  },
  'a member of a require': {
    before: "const free = require('lockproof').releaseLease;\nRELEASE();\n",
    after: "const free = require('lockproof').releaseLease;\nfree();\n",
  },
  'the whole module by require': {
    before: "const lp = require('lockproof');\nRELEASE();\n",
    after: "const lp = require('lockproof');\nlp.releaseLease();\n",
  },
  'the same name of another package is not it': {
    before: "const { releaseLease: free } = require('other');\nRELEASE(free);\n",
    after:
      "const { releaseLease: free } = require('other');\nconst { releaseLease } = require('lockproof');\nreleaseLease(free);\n",
  },
  "another object's method require is not it": {
    before: "const lp = mocks.require('lockproof');\nexports.a = () => RELEASE(lp);\n",
    after:
      "const { releaseLease } = require('lockproof');\nconst lp = mocks.require('lockproof');\nexports.a = () => releaseLease(lp);\n",
  },
});

const named = cases('name', 'esm/a.js', {
  'taken in the module': {
    before: "import { releaseLease } from './mine';\nRELEASE(releaseLease);\n",
    after:
      "import { releaseLease } from './mine';\nimport { releaseLease as releaseLease_ } from 'lockproof';\nreleaseLease_(releaseLease);\n",
  },
  'taken in the module, by a function of CommonJS': {
    before: "const a = require('a');\nfunction releaseLease() { return RELEASE(a); }\n",
    after:
      "const a = require('a');\nconst { releaseLease: releaseLease_ } = require('lockproof');\nfunction releaseLease() { return releaseLease_(a); }\n",
  },
  'taken twice': {
    before:
      "import { releaseLease } from './mine';\nexport function f(releaseLease_) { RELEASE(releaseLease_); }\nreleaseLease();\n",
    after:
      "import { releaseLease } from './mine';\nimport { releaseLease as releaseLease__ } from 'lockproof';\nexport function f(releaseLease_) { releaseLease__(releaseLease_); }\nreleaseLease();\n",
  },
  'used as a global elsewhere': {
    before: "import a from 'a';\nRELEASE(a);\nreleaseLease();\n",
    after:
      "import a from 'a';\nimport { releaseLease as releaseLease_ } from 'lockproof';\nreleaseLease_(a);\nreleaseLease();\n",
  },
  'shadowed by a parameter': {
    before:
      "import { releaseLease } from 'lockproof';\nexport function f(releaseLease) { RELEASE(releaseLease); }\n",
    after:
      "import { releaseLease, releaseLease as releaseLease_ } from 'lockproof';\nexport function f(releaseLease) { releaseLease_(releaseLease); }\n",
  },
  'shadowed further down in its block': {
    before:
      "import a from 'a';\nexport function f() { if (a) { RELEASE(); const releaseLease = a; releaseLease(); } }\n",
    after:
      "import a from 'a';\nimport { releaseLease as releaseLease_ } from 'lockproof';\nexport function f() { if (a) { releaseLease_(); const releaseLease = a; releaseLease(); } }\n",
  },
  'shadowed in a require': {
    before:
      "const { releaseLease } = require('lockproof');\nexports.f = (releaseLease) => RELEASE(releaseLease);\n",
    after:
      "const { releaseLease, releaseLease: releaseLease_ } = require('lockproof');\nexports.f = (releaseLease) => releaseLease_(releaseLease);\n",
  },
  'a shadowed namespace': {
    before: "import * as lp from 'lockproof';\nexport function f(lp) { RELEASE(lp); }\n",
    after:
      "import * as lp from 'lockproof';\nimport { releaseLease } from 'lockproof';\nexport function f(lp) { releaseLease(lp); }\n",
  },
  'shadowed at one use alone': {
    before:
      "import { releaseLease } from 'lockproof';\nexport function f(releaseLease) { RELEASE(releaseLease); }\nexport const g = () => RELEASE();\n",
    after:
      "import { releaseLease, releaseLease as releaseLease_ } from 'lockproof';\nexport function f(releaseLease) { releaseLease_(releaseLease); }\nexport const g = () => releaseLease();\n",
  },
  'shadowed elsewhere is free': {
    before: "import a from 'a';\nexport const f = (releaseLease) => releaseLease(a);\nRELEASE();\n",
    after:
      "import a from 'a';\nimport { releaseLease } from 'lockproof';\nexport const f = (releaseLease) => releaseLease(a);\nreleaseLease();\n",
  },
});

const kinds = cases('kind', 'esm/a.js', {
  'CommonJS by require': {
    before: "const a = require('a');\nconst { b } = require('b');\nRELEASE(a, b);\n",
    after:
      "const a = require('a');\nconst { b } = require('b');\nconst { releaseLease } = require('lockproof');\nreleaseLease(a, b);\n",
  },
  'CommonJS by a require in a function': {
    before: "function f() { return require('a'); }\nRELEASE(f);\n",
    after:
      "const { releaseLease } = require('lockproof');\nfunction f() { return require('a'); }\nreleaseLease(f);\n",
  },
  'CommonJS by exports, below the directive': {
    before: '"use strict";\nexports.a = RELEASE;\n',
    after: '"use strict";\nconst { releaseLease } = require("lockproof");\nexports.a = releaseLease;\n',
  },
  'CommonJS by module.exports': {
    before: 'module.exports = () => RELEASE();\n',
    after: "const { releaseLease } = require('lockproof');\nmodule.exports = () => releaseLease();\n",
  },
  'CommonJS by its package': {
    file: 'cjs/a.js',
    before: 'RELEASE();\n',
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  '.cjs': {
    file: 'esm/a.cjs',
    before: 'RELEASE();\n',
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  '.mjs': {
    file: 'cjs/a.mjs',
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  'import and require: an ES module': {
    file: 'cjs/a.js',
    before: "import a from 'a';\nconst b = require('b');\nRELEASE(a, b);\n",
    after:
      "import a from 'a';\nimport { releaseLease } from 'lockproof';\nconst b = require('b');\nreleaseLease(a, b);\n",
  },
  'export alone: an ES module': {
    file: 'cjs/a.js',
    before: 'export default () => RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nexport default () => releaseLease();\n",
  },
  "a parameter named require is the file's own": {
    before: 'define((require, exports, module) => { module.exports = RELEASE; });\n',
    after:
      "import { releaseLease } from 'lockproof';\ndefine((require, exports, module) => { module.exports = releaseLease; });\n",
  },
  'a test module is no module.exports': {
    before: "module('locks');\nRELEASE();\n",
    after: "import { releaseLease } from 'lockproof';\nmodule('locks');\nreleaseLease();\n",
  },
  'neither, in no package: nothing is written': {
    file: 'none/a.js',
    before: 'RELEASE();\n',
    after: 'RELEASE();\n',
  },
});

const leading = cases('leading requires', 'cjs/a.js', {
  'calls and members count': {
    before:
      "'use strict';\n\nconst fs = require('fs').promises;\nconst debug = require('debug')('app');\n\nRELEASE(fs, debug);\n",
    after:
      "'use strict';\n\nconst fs = require('fs').promises;\nconst debug = require('debug')('app');\nconst { releaseLease } = require('lockproof');\n\nreleaseLease(fs, debug);\n",
  },
  'below the ones behind a call': {
    before: "require('dotenv').config();\nconst a = require('a');\nRELEASE(a);\n",
    after:
      "require('dotenv').config();\nconst a = require('a');\nconst { releaseLease } = require('lockproof');\nreleaseLease(a);\n",
  },
  'not below those in the middle of the code': {
    before: "const a = require('a');\na();\nconst b = require('b');\nRELEASE(b);\n",
    after:
      "const a = require('a');\nconst { releaseLease } = require('lockproof');\na();\nconst b = require('b');\nreleaseLease(b);\n",
  },
  'not below the use': {
    before: "const a = require('a');\nconst b = require('b')(() => RELEASE(a));\nb();\n",
    after:
      "const a = require('a');\nconst { releaseLease } = require('lockproof');\nconst b = require('b')(() => releaseLease(a));\nb();\n",
  },
  'a comment behind the last one stays with it': {
    before: "const a = require('a'); // kept\nRELEASE(a);\n",
    after:
      "const a = require('a'); // kept\nconst { releaseLease } = require('lockproof');\nreleaseLease(a);\n",
  },
});

/** For every parser. */
export const javascript: readonly ImportCase[] = [
  ...placed,
  ...styled,
  ...merged,
  ...reused,
  ...named,
  ...kinds,
  ...leading,
];

/** For the parsers that know types. */
export const typescript: readonly ImportCase[] = cases('TypeScript', 'esm/a.ts', {
  '@ts-nocheck stays first': {
    before: '// @ts-nocheck\nRELEASE();\n',
    after: "// @ts-nocheck\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  '@ts-nocheck below a licence and a blank line stays first': {
    before: '// licence\n\n// @ts-nocheck\nRELEASE();\n',
    after: "// licence\n\n// @ts-nocheck\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  '@ts-expect-error stays above its line': {
    before: '// @ts-expect-error not declared\nRELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\n// @ts-expect-error not declared\nreleaseLease();\n",
  },
  'without a word of modules': {
    file: 'cjs/a.ts',
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  '.mts': {
    file: 'cjs/a.mts',
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  '.cts with imports': {
    file: 'esm/a.cts',
    before: "import a from 'a';\nRELEASE(a);\n",
    after: "import a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(a);\n",
  },
  '.cts without a word of modules': {
    file: 'esm/a.cts',
    before: 'RELEASE();\n',
    after: "import lockproof = require('lockproof');\nlockproof.releaseLease();\n",
  },
  '.ts with require': {
    before: "const a = require('a');\nRELEASE(a);\n",
    after: "const a = require('a');\nconst { releaseLease } = require('lockproof');\nreleaseLease(a);\n",
  },
  'import = require': {
    before: "import fs = require('fs');\nRELEASE(fs);\n",
    after:
      "import fs = require('fs');\nimport lockproof = require('lockproof');\nlockproof.releaseLease(fs);\n",
  },
  'import = require of the package is used': {
    before: "import lp = require('lockproof');\nRELEASE();\n",
    after: "import lp = require('lockproof');\nlp.releaseLease();\n",
  },
  'import type = require of the package does not count': {
    before: "import type lp = require('lockproof');\nRELEASE();\n",
    after:
      "import type lp = require('lockproof');\nimport lockproof = require('lockproof');\nlockproof.releaseLease();\n",
  },
  'import = require, beside imports': {
    before: "import fs = require('fs');\nimport a from 'a';\nRELEASE(fs, a);\n",
    after:
      "import fs = require('fs');\nimport a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(fs, a);\n",
  },
  'imports, with import = require as the last': {
    before: "import a from 'a';\nimport fs = require('fs');\nRELEASE(fs, a);\n",
    after:
      "import a from 'a';\nimport fs = require('fs');\nimport { releaseLease } from 'lockproof';\nreleaseLease(fs, a);\n",
  },
  'export =': {
    before: 'const run = () => RELEASE();\nexport = run;\n',
    after:
      "import lockproof = require('lockproof');\nconst run = () => lockproof.releaseLease();\nexport = run;\n",
  },
  'export =, with the name taken': {
    before: 'const lockproof = () => RELEASE();\nexport = lockproof;\n',
    after:
      "import lockproof_ = require('lockproof');\nconst lockproof = () => lockproof_.releaseLease();\nexport = lockproof;\n",
  },
  'an alias of a namespace is no import': {
    before: 'namespace A { export const b = 1; }\nimport b = A.b;\nRELEASE(b);\n',
    after:
      "import { releaseLease } from 'lockproof';\nnamespace A { export const b = 1; }\nimport b = A.b;\nreleaseLease(b);\n",
  },
  'import type does not count': {
    before: "import type { LockLease } from 'lockproof';\nexport const a: LockLease = RELEASE();\n",
    after:
      "import type { LockLease } from 'lockproof';\nimport { releaseLease } from 'lockproof';\nexport const a: LockLease = releaseLease();\n",
  },
  'import type of a namespace does not count': {
    before: "import type * as lp from 'lockproof';\nexport const a: lp.LockLease = RELEASE();\n",
    after:
      "import type * as lp from 'lockproof';\nimport { releaseLease } from 'lockproof';\nexport const a: lp.LockLease = releaseLease();\n",
  },
  'the same name as a type does not count': {
    before:
      "import type { releaseLease } from 'lockproof';\nexport const a: typeof releaseLease = RELEASE;\n",
    after:
      "import type { releaseLease } from 'lockproof';\nimport { releaseLease as releaseLease_ } from 'lockproof';\nexport const a: typeof releaseLease = releaseLease_;\n",
  },
  'an inline type does not count, its list does': {
    before: "import { type LockLease } from 'lockproof';\nexport const a: LockLease = RELEASE();\n",
    after:
      "import { type LockLease, releaseLease } from 'lockproof';\nexport const a: LockLease = releaseLease();\n",
  },
  'an inline type of the same name does not count': {
    before:
      "import { type releaseLease } from 'lockproof';\nexport const a: typeof releaseLease = RELEASE;\n",
    after:
      "import { type releaseLease, releaseLease as releaseLease_ } from 'lockproof';\nexport const a: typeof releaseLease = releaseLease_;\n",
  },
  'a pattern with a type': {
    before: "const { withLock }: typeof import('lockproof') = require('lockproof');\nRELEASE(withLock);\n",
    after:
      "const { withLock, releaseLease }: typeof import('lockproof') = require('lockproof');\nreleaseLease(withLock);\n",
  },
  'above the decorators of the first statement': {
    before: '@sealed\nexport class A { f() { RELEASE(); } }\n',
    after: "import { releaseLease } from 'lockproof';\n@sealed\nexport class A { f() { releaseLease(); } }\n",
  },
  'the script of a Vue component': {
    file: 'cjs/a.vue',
    before: '\n  const stop = () => RELEASE();\n',
    after: "\n  import { releaseLease } from 'lockproof';\n  const stop = () => releaseLease();\n",
  },
  TSX: {
    file: 'esm/a.tsx',
    before: "import React from 'react';\nexport const A = () => <a onClick={RELEASE} />;\n",
    after:
      "import React from 'react';\nimport { releaseLease } from 'lockproof';\nexport const A = () => <a onClick={releaseLease} />;\n",
  },
});
