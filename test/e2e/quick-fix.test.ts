/** The packed extension in a real VS Code: squiggle, Problems row, quick fix through the menu, saved file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createProject, repairedLock, wrongLock } from '../extension/support/project.js';
import { Workbench } from './workbench/workbench.js';

it('repairs a wrong lock through the quick-fix menu', async () => {
  const project = createProject();
  onTestFinished(project.remove);
  const workbench = await Workbench.open(inject('places'), project.folder);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot('failed');
    await workbench.close();
  });
  const onDisk = () => readFileSync(join(project.folder, 'stock.ts'), 'utf8');

  await workbench.openFile('stock.ts');
  await workbench.waitForSquiggle('error');
  const problems = await workbench.waitForProblems('lockproof', [
    'lockproof/require-unique-token',
    'lockproof/no-blind-release',
  ]);
  await workbench.screenshot('squiggle');
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'error']);

  const release = problems.find(({ code }) => code === 'lockproof/no-blind-release');
  if (!release) throw new Error('the blind release has no row');
  const title = 'Repair this lock (lockproof/no-blind-release)';
  expect(await workbench.openQuickFixes(release.line, release.column)).toContain(title);
  await workbench.screenshot('quick-fix-menu');
  await workbench.chooseQuickFix(title);
  expect(onDisk()).toBe(wrongLock);

  await workbench.save();
  expect(onDisk()).toBe(repairedLock);
  await workbench.waitForProblems('lockproof', []);
  await workbench.screenshot('repaired');
  expect(workbench.refused).toEqual([]);
});
