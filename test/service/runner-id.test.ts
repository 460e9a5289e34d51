import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runnerId } from '../../src/service/open/runner-id.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-service-runner-id-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a runner keeps its id after a restart', async () => {
  const name = await runnerId(folder)
  expect(await runnerId(folder)).toBe(name)
})

test('a second runner beside a running one gets an id of its own', async () => {
  // The parent of this process is alive, and is not this process.
  writeFileSync(
    path.join(folder, 'runner.json'),
    JSON.stringify({ id: 'first', pid: process.ppid }),
  )
  expect(await runnerId(folder)).not.toBe('first')
})

test('a runner takes the id of one that has ended', async () => {
  const gone = 2 ** 22 - 7
  writeFileSync(path.join(folder, 'runner.json'), JSON.stringify({ id: 'first', pid: gone }))
  expect(await runnerId(folder)).toBe('first')
})

test('a file that is broken is replaced', async () => {
  writeFileSync(path.join(folder, 'runner.json'), '{')
  expect(await runnerId(folder)).toMatch(/-[0-9a-f]{8}$/)
})
