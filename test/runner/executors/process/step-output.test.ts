import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startStep } from '../../../../src/runner/executors/process/step-process.ts'

test.each([true, false])(
  'the output of a step that ends before anyone reads it is kept (terminal: %j)',
  async (terminal) => {
    const folder = mkdtempSync('/tmp/step-output-')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [home, step_folder] = [path.join(folder, 'home'), path.join(folder, 'step')]
    for (const each of [home, step_folder]) mkdirSync(each)
    writeFileSync(path.join(step_folder, 'build.sh'), 'echo early; exit 3')
    const way = { level: 'none' as const, terminal, recent: true, sealed: false }
    const step = await startStep(way, {
      workspace: { name: 'runner+1+1-1', folder, home, user: undefined },
      job_id: 1,
      step_folder,
      with_inputs: false,
      ssh_key: undefined,
      network: true,
      processes: 1000,
      hidden: { folders: [], files: [], missing: [], ids: new Map() },
      tools: { path: '/usr/bin:/bin', shown: [], variables: {}, warnings: [] },
      secrets: [],
    })
    expect(await step.ended).toEqual({ code: 3, signal: null })
    // Node's work after the end of a child is done before this.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    let text = ''
    for await (const bytes of step.output) text += String(bytes)
    expect(text.trim()).toBe('early')
    await step.clear()
  },
)
