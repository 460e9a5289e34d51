import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { expectNothingLeft, leftIn, openFolder, seen } from '../cli/left-behind.ts'
import { outcomeOf, scratchFolder, startCommand } from '../support/command.ts'
import { workTree } from '../support/git.ts'

/** Closes the reader of a command's output, as `| head` does. */
function closeReaders({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy()
  stderr?.destroy()
}

test('a demo whose output pipe closes ends and leaves nothing behind', async () => {
  const TMPDIR = openFolder()
  const child = startCommand(['demo'], { env: { TMPDIR, PORT: '0' } })
  await seen(child, 'is started')
  closeReaders(child)
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(141)
  await expectNothingLeft(TMPDIR)
}, 120_000)

test('a run whose output pipe closes ends and leaves nothing behind', async () => {
  const TMPDIR = openFolder()
  const tree = workTree()
  const script = 'for i in $(seq 600); do echo line $i; sleep 0.1; done'
  tree.commit('Begin', { '.service.yml': `script: '${script}'` })
  const child = startCommand(['run'], { cwd: tree.folder, env: { TMPDIR } })
  await seen(child, 'line 1')
  closeReaders(child)
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(141)
  await expectNothingLeft(TMPDIR)
}, 120_000)

test('a service stops cleanly when its log reader exits or its terminal hangs up', async () => {
  for (const end of [closeReaders, (child: ChildProcess) => child.kill('SIGHUP')]) {
    const folder = scratchFolder()
    const DATA_DIR = path.join(folder, 'data')
    const env = { DATA_DIR, PORT: '0', LOG_LEVEL: 'debug' }
    const child = startCommand(['start'], { env })
    await seen(child, 'serves at')
    end(child)
    // The service logs each of these.
    child.kill('SIGHUP')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
    expect(existsSync(path.join(DATA_DIR, 'service.json'))).toBe(false)
    await expectNothingLeft(folder)
  }
}, 120_000)

test('the next demo removes the files of a killed one', async () => {
  const TMPDIR = openFolder()
  const killed = startCommand(['demo'], { env: { TMPDIR, PORT: '0' } })
  await seen(killed, 'is started')
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(leftIn(TMPDIR)).not.toEqual([])

  const next = startCommand(['demo', '--exit'], { env: { TMPDIR, PORT: '0' } })
  expect((await outcomeOf(next)).code).toBe(0)
  await vi.waitFor(() => expect(leftIn(TMPDIR)).toEqual([]), { timeout: 10_000 })
}, 180_000)
