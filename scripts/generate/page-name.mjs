// Where the page of a rule stands.

export const PAGES = 'eslint-plugin/docs/rules';

export const pageName = (rule, language) => `${rule}${language === 'zh' ? '.zh-CN' : ''}.md`;
