import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createProcessExecutor } from '../../../src/runner/executors/process/executor.ts'
import { levels } from '../../../src/runner/executors/process/level.ts'
import { executorContract } from '../executor.contract.ts'

const asRoot = process.getuid?.() === 0
const base = await mkdtemp(path.join(tmpdir(), 'process-'))
await chmod(base, 0o711)
afterAll(() => rm(base, { recursive: true }))

const kinds = levels.flatMap((level) => [
  { level, terminal: true },
  { level, terminal: false },
])

for (const [index, { level, terminal }] of kinds.entries()) {
  const name = `level ${level}, ${terminal ? 'terminal' : 'pipe'}`
  const open = async () => {
    const folder = path.join(base, String(index))
    const runnerId = `r${process.pid}`
    const executor = createProcessExecutor({
      ...{ workDir: folder, runnerId, levels: [level], terminal },
      log: { warn: (data, message) => expect.fail(`${message} ${JSON.stringify(data)}`) },
    })
    const probe = await executor.probe()
    return {
      ...{ executor, probe, folder },
      kills_everything: level !== 'none' || asRoot,
      hides_machine: level === 'sandbox',
    }
  }
  const { probe } = await open()
  if (probe.ok) executorContract(name, open)
  else test.skip(`${name}: ${probe.says}`, () => {})
}
