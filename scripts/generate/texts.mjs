// Words of the generated parts in both languages, and how a part is put into its place.

export const LANGUAGES = ['en', 'zh'];

export const WORDS = {
  en: {
    overview: ['rule', 'what it does', 'configs', 'repair'],
    facts: ['configs', 'level', 'repair', 'options'],
    options: ['option', 'what it does', 'default', 'in `strict` and `all`'],
    levels: { error: 'error', warn: 'warning' },
    fix: 'fix',
    suggestion: 'suggestion',
    none: 'none',
    noOptions: 'The rule has no options.',
    otherLanguage: '简体中文',
    allRules: 'all rules',
  },
  zh: {
    overview: ['规则', '作用', '配置', '修复'],
    facts: ['配置', '级别', '修复', '选项'],
    options: ['选项', '作用', '默认值', '`strict` 和 `all` 中的值'],
    levels: { error: '错误', warn: '警告' },
    fix: '自动修复',
    suggestion: '建议',
    none: '无',
    noOptions: '本规则没有选项。',
    otherLanguage: 'English',
    allRules: '所有规则',
  },
};

/** The Chinese of the descriptions in the options' schemas, which are English. */
export const OPTIONS_ZH = {
  checkSharedWatch: '在与他人共用的连接上执行的 WATCH、GET、MULTI、DEL、EXEC 也要报告。',
  maxTtlMs: '不续期的锁允许的最长字面量 TTL，单位毫秒。',
  p99Ms: '实测的业务耗时 P99，单位毫秒；没有测过则为 0。',
  checkLoops: '锁内的工作在循环里写数据、却从不查看 `signal` 或 `throwIfLost()` 的，也要报告。',
};

/** A Markdown table; Prettier aligns it. */
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The text with new content between `<!-- name:start -->` and `<!-- name:end -->`. */
export function between(text, name, content) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no lines ${start} and ${end}`);
  return `${text.slice(0, from)}${start}\n\n${content}\n\n${text.slice(to)}`;
}
