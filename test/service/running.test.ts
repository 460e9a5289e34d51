import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { startProcess, urlOf } from '../support/service-process.ts'

const { connection } = await ownDatabase()

test('a second service on a data folder is refused, and the first is still found', async () => {
  const DATA_DIR = scratchFolder()
  const env = { DATA_DIR, DATABASE_URL: urlOf(connection), PORT: '0', LOG_LEVEL: 'silent' }
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
  expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ url: first.url, pid })

  await first.stop()
  expect(existsSync(note)).toBe(false)
}, 120_000)

test('a service that was killed does not block another, and the file of another is kept', async () => {
  const DATA_DIR = scratchFolder()
  const env = { DATA_DIR, DATABASE_URL: urlOf(connection), LOG_LEVEL: 'silent' }
  const note = path.join(DATA_DIR, 'service.json')
  const killed = await startProcess(env)
  killed.child.kill('SIGKILL')
  await killed.gone

  const next = await startProcess(env)
  expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ url: next.url, pid: next.child.pid })
  writeFileSync(note, '{"url":"http://127.0.0.1:1","pid":1}')
  await next.stop()
  expect(readFileSync(note, 'utf8')).toBe('{"url":"http://127.0.0.1:1","pid":1}')
}, 120_000)
