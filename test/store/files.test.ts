import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { masterKeyFile } from '../../src/store/master-key.ts'
import { runnerId } from '../../src/store/runner-id.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-service-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the master key is made once, for its owner’s eyes only', async () => {
  const data = path.join(folder, 'data')
  const keys = await Promise.all([1, 2, 3, 4].map(() => masterKeyFile(data)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(await masterKeyFile(data)).toBe(keys[0])
  expect(statSync(path.join(data, 'master.key')).mode & 0o777).toBe(0o600)
})

test('a runner keeps its name when it comes back', async () => {
  const name = await runnerId(folder)
  expect(await runnerId(folder)).toBe(name)
})

test('a second runner beside a living one has a name of its own', async () => {
  // The parent of this process is alive, and is not this process.
  writeFileSync(
    path.join(folder, 'runner.json'),
    JSON.stringify({ id: 'first', pid: process.ppid }),
  )
  expect(await runnerId(folder)).not.toBe('first')
})

test('a runner takes the name of one that is gone', async () => {
  const gone = 2 ** 22 - 7
  writeFileSync(path.join(folder, 'runner.json'), JSON.stringify({ id: 'first', pid: gone }))
  expect(await runnerId(folder)).toBe('first')
})

test('a file that is broken is replaced', async () => {
  writeFileSync(path.join(folder, 'runner.json'), '{')
  expect(await runnerId(folder)).toMatch(/-[0-9a-f]{8}$/)
})
