import { type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { outcomeOf, scratchFolder, startCommand } from '../support/command.ts'
import { workTree } from '../support/git.ts'
import { expectNothingLeft, openFolder, seen } from './left-behind.ts'

async function expectEnd(child: ChildProcess, folder: string, code: number): Promise<void> {
  expect((await outcomeOf(child)).code).toBe(code)
  await expectNothingLeft(folder)
}

describe('run leaves nothing behind', () => {
  test.each([
    ['SIGINT', 130, 'the job has begun'],
    ['SIGTERM', 143, 'the job has begun'],
    ['SIGINT', 130, 'building the commit'],
    ['SIGHUP', 129, 'the job has begun'],
  ] as const)(
    'when %s ends the run (%i) after "%s"',
    async (signal, code, words) => {
      const TMPDIR = openFolder()
      const tree = workTree()
      tree.commit('Begin', { '.service.yml': 'script: [echo the job has begun, sleep 60]' })
      const child = startCommand(['run'], { cwd: tree.folder, env: { TMPDIR } })
      await seen(child, words)
      child.kill(signal)
      await expectEnd(child, TMPDIR, code)
    },
    120_000,
  )
})

describe('the demo leaves nothing behind', () => {
  test.each([
    ['SIGINT', 130, 'Starting PostgreSQL'],
    ['SIGTERM', 143, 'is started'],
    ['SIGHUP', 129, 'is started'],
  ] as const)(
    'when %s ends the demo (%i) after "%s"',
    async (signal, code, words) => {
      const TMPDIR = openFolder()
      const child = startCommand(['demo'], { env: { TMPDIR, PORT: '0' } })
      await seen(child, words)
      child.kill(signal)
      await expectEnd(child, TMPDIR, code)
    },
    120_000,
  )

  test('when Ctrl-C ends the demo while it serves, as its output suggests', async () => {
    const TMPDIR = openFolder()
    const child = startCommand(['demo'], { env: { TMPDIR, PORT: '0' } })
    const text = await seen(child, 'Serving until you press Ctrl-C.')
    expect(text).toMatch(/token: bsvc_[0-9A-Za-z]{32}\n/)
    expect(text.match(/^ {2}# .+\n {2}curl /gm)).toHaveLength(5)
    child.kill('SIGINT')
    await expectEnd(child, TMPDIR, 130)
  }, 120_000)
})

test('a start that is stopped before it serves ends cleanly, and leaves no process', async () => {
  const folder = scratchFolder()
  const data = path.join(folder, 'data')
  const child = startCommand(['start'], { env: { DATA_DIR: data, PORT: '0' } })
  await vi.waitFor(() => expect(existsSync(path.join(data, 'postgres'))).toBe(true), {
    timeout: 60_000,
  })
  child.kill('SIGTERM')
  await expectEnd(child, folder, 0)
  expect(existsSync(path.join(data, 'service.json'))).toBe(false)
}, 120_000)
