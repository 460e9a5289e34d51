import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releaseRunnerId, runnerId } from '../../src/service/open/runner-id.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-service-runner-id-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a runner keeps its id after a restart', async () => {
  const name = await runnerId(folder)
  expect(await runnerId(folder)).toBe(name)
})

test('the id of a runner that has ended is free, even if its process still runs', async () => {
  const socket = path.join(folder, 'runner.sock')
  const id = await runnerId(folder)
  expect(existsSync(socket)).toBe(true)
  await releaseRunnerId(id)
  expect(existsSync(socket)).toBe(false)
  const next = await other()
  expect(await runnerId(folder)).not.toBe(id)
  await next.kill()
})

/** Another process that has the id of the runner of this folder, until it is killed. */
async function other(number = ''): Promise<{ kill(): Promise<void> }> {
  const socket = path.join(folder, `runner${number}.sock`)
  const program = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('listens'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('runners that share a folder have different ids, and a new one takes over the id of one that has ended', async () => {
  // In containers that share a folder, both have this pid.
  const know = (file: string, id: string) =>
    writeFileSync(path.join(folder, file), JSON.stringify({ id, pid: process.pid }))
  know('runner.json', 'first')
  const first = await other()
  const second = await other('-2')
  const third = await runnerId(folder)
  expect(third).not.toBe('first')
  const kept = JSON.parse(readFileSync(path.join(folder, 'runner-3.json'), 'utf8')) as object
  expect(kept).toMatchObject({ id: third })
  know('runner-2.json', 'second')
  await second.kill()
  expect(await runnerId(folder)).toBe('second')
  await first.kill()
  expect(await runnerId(folder)).toBe('first')
})

test('a new runner takes over the id of a runner that has ended', async () => {
  const gone = 2 ** 22 - 7
  writeFileSync(path.join(folder, 'runner.json'), JSON.stringify({ id: 'first', pid: gone }))
  expect(await runnerId(folder)).toBe('first')
})

test('a corrupt file is replaced', async () => {
  writeFileSync(path.join(folder, 'runner.json'), '{')
  expect(await runnerId(folder)).toMatch(/-[0-9a-f]{8}$/)
})
