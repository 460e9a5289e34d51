import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { masterKeyFile } from '../../src/store/secrets/master-key.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-service-master-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the master key is created once, readable by its owner only', async () => {
  const data = path.join(folder, 'data')
  const keys = await Promise.all([1, 2, 3, 4].map(() => masterKeyFile(data)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(await masterKeyFile(data)).toBe(keys[0])
  expect(statSync(path.join(data, 'master.key')).mode & 0o777).toBe(0o600)
})
