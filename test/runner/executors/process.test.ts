import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { createProcessExecutor } from '../../../src/runner/executors/process/executor.ts'
import { type Level, levels } from '../../../src/runner/executors/process/level.ts'
import { needs } from '../../support/needs.ts'
import { executorContract, type Tried } from '../executor.contract.ts'

const asRoot = process.getuid?.() === 0
const base = await mkdtemp(path.join(tmpdir(), 'process-'))
await chmod(base, 0o711)
afterAll(() => rm(base, { recursive: true }))

interface Kind {
  level: Level
  output: 'terminal' | 'pipe'
}

async function open({ level, output }: Kind): Promise<Tried> {
  const folder = path.join(base, `${level}-${output}`)
  const executor = createProcessExecutor({
    workDir: folder,
    runnerId: `r${process.pid}`,
    levels: [level],
    terminal: output === 'terminal',
    log: { warn: (data, message) => expect.fail(`${message} ${JSON.stringify(data)}`) },
  })
  return {
    executor,
    probe: await executor.probe(),
    account: 'ci',
    leftovers: () => readdir(folder),
    kills_everything: level !== 'none' || asRoot,
    adds: ['SERVICE_RUN', ...(output === 'terminal' ? [] : ['FORCE_COLOR', 'CLICOLOR_FORCE'])],
  }
}

for (const level of levels) {
  for (const output of ['terminal', 'pipe'] as const) {
    const { probe } = await open({ level, output })
    const missing = probe.ok ? undefined : probe.says
    const need = { tests: `of jobs at level ${level} with ${output}`, missing }
    describe(`level ${level} with ${output}`, needs(need), () => {
      executorContract(() => open({ level, output }))
    })
  }
}
