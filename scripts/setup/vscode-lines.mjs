/**
 * The VS Code versions that the end-to-end flow can run in. The npm package `code-server` carries a complete VS Code server,
 * which is all that is used of it; its shrinkwrap pins every dependency.
 */
export const DEFAULT_LINE = '1.139';

export const LINES = {
  1.139: {
    codeServer: '4.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    node: '24.22.3',
    natives: ['@vscode/spdlog', '@vscode/native-watchdog'], // node-pty comes compiled
  },
  '1.100': {
    codeServer: '4.100.3',
    integrity:
      'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
    node: '20.20.2',
    natives: ['@vscode/spdlog', 'native-watchdog', 'node-pty'],
  },
};
