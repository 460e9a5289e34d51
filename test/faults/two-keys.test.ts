import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openStore } from '../../src/service/open/open-store.ts'
import { addressOf, command, scratchFolder, startCommand } from '../support/command.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { workTree } from '../support/git.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const [one, other] = ['11'.repeat(32), '22'.repeat(32)]

beforeEach(() => db.deleteFrom('key_fingerprint').execute())

/** Opens the store of one database, as each process of an installation does, and closes it. */
async function open(settings: { MASTER_KEY?: string; DATA_DIR?: string }): Promise<void> {
  const env = { DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection), ...settings }
  const store = await openStore(readConfig(env), testLog)
  await store.close()
}

describe('a database that was first opened with one key', () => {
  beforeEach(() => open({ MASTER_KEY: one }))

  test('is opened with the same key from the environment or a file', async () => {
    await expect(open({ MASTER_KEY: one })).resolves.toBeUndefined()
    const DATA_DIR = scratchFolder()
    writeFileSync(path.join(DATA_DIR, 'master.key'), `${one}\n`)
    await expect(open({ DATA_DIR })).resolves.toBeUndefined()
  })

  test('is not opened with another key', async () => {
    await expect(open({ MASTER_KEY: other })).rejects.toThrow(
      'the secrets of this database are sealed with a key, and MASTER_KEY is a different key: set ' +
        'MASTER_KEY to that key',
    )
    const DATA_DIR = scratchFolder()
    const file = path.join(DATA_DIR, 'master.key')
    writeFileSync(file, other)
    await expect(open({ DATA_DIR })).rejects.toThrow(
      `this process has a different key, in ${file}:`,
    )
  })

  test('is not opened without a key, and no key is created', async () => {
    const DATA_DIR = scratchFolder()
    await expect(open({ DATA_DIR })).rejects.toThrow('and this process has none: set MASTER_KEY')
    expect(existsSync(path.join(DATA_DIR, 'master.key'))).toBe(false)
  })
})

test('only one of two processes that start at once with different keys opens the database', async () => {
  const opened = await Promise.allSettled([open({ MASTER_KEY: one }), open({ MASTER_KEY: other })])
  expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

describe('the hook of a registered repository builds a commit', () => {
  test.each([
    ['a file', {}],
    ['the environment', { MASTER_KEY: one }],
  ])(
    'if the service has its key from %s',
    async (_where, key) => {
      const folder = scratchFolder()
      const DATA_DIR = path.join(folder, 'data')
      const env = { DATA_DIR, PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: 'json', ...key }
      const tree = workTree()
      tree.commit('Begin', { '.service.yml': 'script: "true"' })
      const added = await command(['local', 'add', tree.folder], { env })
      expect(added.code).toBe(0)

      const service = startCommand(['start'], { env })
      try {
        const url = await addressOf(service)
        tree.commit('Say hello')
        await vi.waitFor(
          async () => {
            const answer = await fetch(`${url}/requests?repository_id=1`)
            const { requests } = (await answer.json()) as { requests: { result: string }[] }
            expect(requests.map(({ result }) => result)).toEqual(['accepted'])
          },
          { timeout: 40_000, interval: 200 },
        )
      } finally {
        const gone = new Promise((resolve) => service.once('exit', resolve))
        service.kill('SIGTERM')
        await gone
      }
    },
    120_000,
  )

  test('and doctor reports if the hook fails', async () => {
    const env = { DATA_DIR: path.join(scratchFolder(), 'data'), PORT: '0' }
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'script: "true"' })
    await command(['local', 'add', tree.folder], { env })
    mkdirSync(path.join(env.DATA_DIR, 'service.json'))
    tree.commit('Say hello')
    const { stdout } = await vi.waitFor(
      async () => {
        const told = await command(['doctor'], { env })
        expect(told.stdout).toContain('git hooks')
        return told
      },
      { timeout: 60_000 },
    )
    expect(stdout).toMatch(
      /warning\s+git hooks\s+the git hook in .*\.git failed at \S+Z: build-service: the file of the running service cannot be read \(EISDIR/,
    )
  }, 120_000)
})

test("a command that would use a different database than its folder's service reports it", async () => {
  const DATA_DIR = scratchFolder()
  const env = { DATA_DIR, MASTER_KEY: one, PORT: '0', DATABASE_URL: urlOf(connection) }
  const service = startCommand(['start'], { env })
  await addressOf(service)
  const { code, stderr } = await command(['local', 'list'], { env: { DATA_DIR } })
  expect(code).toBe(78)
  expect(stderr).toContain(
    'uses a different database than this command, which would use the embedded one',
  )
  expect(stderr).toContain('set DATABASE_URL and MASTER_KEY as for the service')
  expect(existsSync(path.join(DATA_DIR, 'postgres'))).toBe(false)
  expect(await command(['local', 'list'], { env })).toMatchObject({ code: 0 })
  service.kill('SIGTERM')
})
