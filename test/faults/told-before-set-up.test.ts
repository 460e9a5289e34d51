import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { needs, ordinaryUser } from '../support/needs.ts'

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

function start(env: Record<string, string>) {
  return command(['start'], { env: { PORT: '0', ...env } })
}

test('a port that is taken', async () => {
  const DATA_DIR = path.join(scratchFolder(), 'data')
  const port = await takenPort()
  expect(await start({ DATA_DIR, PORT: String(port) })).toEqual({
    code: 78,
    stdout: '',
    stderr:
      `build-service: port ${port} of 127.0.0.1 is in use: stop the program that listens there, ` +
      'or set PORT to another\n',
  })
  expect(readdirSync(DATA_DIR)).toEqual([])
})

test('a folder that cannot be written to', async () => {
  const folder = scratchFolder()
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await start({ DATA_DIR: path.join(file, 'data') })
  expect(code).toBe(78)
  expect(stderr).toContain('cannot be written to (ENOTDIR): set DATA_DIR to a folder that')
})

test('a folder that cannot be created', async () => {
  const { code, stderr } = await start({ DATA_DIR: '/proc/build-service/data' })
  expect(code).toBe(78)
  expect(stderr).toContain('/proc/build-service/data cannot be written to (ENOENT)')
})

test('a folder of another user', needs(ordinaryUser), async () => {
  const folder = scratchFolder()
  chmodSync(folder, 0o500)
  const { code, stderr } = await start({ DATA_DIR: path.join(folder, 'data') })
  expect(code).toBe(78)
  expect(stderr).toContain('cannot be written to (EACCES)')
})

test('a key of the wrong form, from the environment or a file', async () => {
  const DATA_DIR = path.join(scratchFolder(), 'data')
  const given = await start({ DATA_DIR, MASTER_KEY: 'abc' })
  expect(given).toMatchObject({ code: 78 })
  expect(given.stderr).toContain('MASTER_KEY must be 32 bytes')
  expect(existsSync(DATA_DIR)).toBe(false)

  mkdirSync(DATA_DIR)
  writeFileSync(path.join(DATA_DIR, 'master.key'), 'abc')
  const read = await start({ DATA_DIR })
  expect(read).toMatchObject({ code: 78 })
  expect(read.stderr).toContain('master.key does not hold a key of 32 bytes')
  expect(readdirSync(DATA_DIR)).toEqual(['master.key'])
})
