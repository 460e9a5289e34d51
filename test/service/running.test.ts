import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { startProcess, urlOf } from '../support/service-process.ts'

const { connection } = await ownDatabase()
const MASTER_KEY = '11'.repeat(32)

test('a second service on a data folder is refused, and commands still find the first one', async () => {
  const DATA_DIR = scratchFolder()
  const DATABASE_URL = urlOf(connection)
  const env = { DATA_DIR, DATABASE_URL, MASTER_KEY, PORT: '0', LOG_LEVEL: 'silent' }
  const note = path.join(DATA_DIR, 'service.json')
  const first = await startProcess(env)
  const { pid } = first.child
  expect(await command(['start'], { env })).toEqual({
    code: 78,
    stdout: '',
    stderr:
      `build-service: a service runs on the folder ${DATA_DIR} already, at ${first.url} ` +
      `(process ${pid}): stop it, or set DATA_DIR to another folder\n`,
  })
  expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({
    url: first.url,
    pid,
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    database: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  expect(statSync(note).mode & 0o777).toBe(0o600)

  await first.stop()
  expect(existsSync(note)).toBe(false)
}, 120_000)

test('a killed service does not block the next one, which leaves the file of another service alone', async () => {
  const DATA_DIR = scratchFolder()
  const env = { DATA_DIR, DATABASE_URL: urlOf(connection), MASTER_KEY, LOG_LEVEL: 'silent' }
  const note = path.join(DATA_DIR, 'service.json')
  const killed = await startProcess(env)
  killed.child.kill('SIGKILL')
  await killed.gone

  const next = await startProcess(env)
  const { url, pid } = JSON.parse(readFileSync(note, 'utf8')) as { url: string; pid: number }
  expect([url, pid]).toEqual([next.url, next.child.pid])
  writeFileSync(note, '{"url":"http://127.0.0.1:1","pid":1}')
  await next.stop()
  expect(readFileSync(note, 'utf8')).toBe('{"url":"http://127.0.0.1:1","pid":1}')
}, 120_000)
