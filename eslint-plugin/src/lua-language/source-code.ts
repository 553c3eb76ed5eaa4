/** A `.lua` file as ESLint handles it: text, tree, and the comments that configure rules. */
import pluginKit from './plugin-kit.cjs';
import { LINE_END, type Loc, type LuaChunk, type LuaComment } from './tree.js';

type Kit = ReturnType<typeof pluginKit.load>;
type DisableDirective = InstanceType<Kit['Directive']>;

/** What rules use. */
export interface LuaSourceCode {
  /** Tells rules which language they are in. */
  readonly isLua: true;
  readonly text: string;
  readonly ast: LuaChunk;
  getLocFromIndex(index: number): Loc['start'];
  getInlineConfigNodes(): readonly LuaComment[];
  getDisableDirectives(): { problems: []; directives: DisableDirective[] };
  applyInlineConfig(): {
    configs: { config: { rules: object }; loc: Loc }[];
    problems: { ruleId: null; message: string; loc: Loc }[];
  };
}

type LuaSourceCodeClass = new (text: string, ast: LuaChunk) => LuaSourceCode;

const DISABLE = /^eslint-(disable-next-line|disable-line|disable|enable)$/;

let known: LuaSourceCodeClass | undefined;

export function createLuaSourceCode(text: string, ast: LuaChunk): LuaSourceCode {
  known ??= defineClass(pluginKit.load());
  return new known(text, ast);
}

/** The kit comes late, so that its base class is not known before the first `.lua` file. */
function defineClass({
  ConfigCommentParser,
  Directive,
  TextSourceCodeBase,
  VisitNodeStep,
}: Kit): LuaSourceCodeClass {
  const comments = new ConfigCommentParser();
  const directiveIn = ({ value }: LuaComment): ReturnType<typeof comments.parseDirective> =>
    comments.parseDirective(value.trim());

  return class extends TextSourceCodeBase implements LuaSourceCode {
    declare readonly ast: LuaChunk;
    readonly isLua = true;

    constructor(text: string, ast: LuaChunk) {
      super({ text, ast, lineEndingPattern: LINE_END });
    }

    override getParent(): undefined {
      return undefined;
    }

    override traverse(): InstanceType<Kit['VisitNodeStep']>[] {
      const { ast } = this;
      return ([1, 2] as const).map((phase) => new VisitNodeStep({ target: ast, phase, args: [ast] }));
    }

    /** `-- eslint lockproof/no-unguarded-script: off` */
    getInlineConfigNodes(): readonly LuaComment[] {
      return this.ast.comments.filter((comment) => directiveIn(comment)?.label === 'eslint');
    }

    applyInlineConfig(): ReturnType<LuaSourceCode['applyInlineConfig']> {
      const result: ReturnType<LuaSourceCode['applyInlineConfig']> = { configs: [], problems: [] };
      for (const comment of this.getInlineConfigNodes()) {
        const { loc } = comment;
        const parsed = comments.parseJSONLikeConfig(directiveIn(comment)?.value ?? '');
        if (parsed.ok) result.configs.push({ config: { rules: parsed.config }, loc });
        else result.problems.push({ ruleId: null, message: parsed.error.message, loc });
      }
      return result;
    }

    /** `-- eslint-disable-next-line lockproof/no-unguarded-script -- the reason` */
    getDisableDirectives(): { problems: []; directives: DisableDirective[] } {
      const directives = this.ast.comments.flatMap((node) => {
        const { label = '', value = '', justification = '' } = directiveIn(node) ?? {};
        const type = DISABLE.exec(label)?.[1] as DisableDirective['type'] | undefined;
        return type ? [new Directive({ type, node, value, justification })] : [];
      });
      return { problems: [], directives };
    }
  };
}
