// Adds up the JSON reports of test runs and prints the plain line `N passed, N failed`; fails when a test failed or none ran.
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  if (!existsSync(path)) {
    console.error(`${path} is missing: its tests did not run`);
    failed += 1;
    continue;
  }
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests + (report.success ? 0 : report.numFailedTests === 0 ? 1 : 0);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
