import { afterEach, expect, test } from 'vitest'
import { createSealer } from '../../src/secrets/seal.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import {
  deliver,
  emptyEverything,
  expectOnePassedBuild,
  unpushedCommit,
} from '../support/local-story.ts'
import { needs } from '../support/needs.ts'
import { redis, startRedis } from '../support/redis.ts'
import { startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const key = Buffer.alloc(32, 3)

afterEach(() => emptyEverything(db))

/** One process for each role, each with a separate folder, as on three machines. */
async function expectWholeStory(shared: Record<string, string>): Promise<void> {
  const delivery = await unpushedCommit(db, 'echo hello')
  const env = { DATABASE_URL: urlOf(connection), MASTER_KEY: key.toString('hex'), ...shared }
  const processes = await Promise.all(
    ['web', 'worker', 'runner'].map((ROLE) =>
      startProcess({ ...env, ROLE, DATA_DIR: scratchFolder() }),
    ),
  )
  try {
    const url = processes[0]?.url ?? ''
    expect(await deliver(url, createSealer(key), delivery)).toBe(true)
    await expectOnePassedBuild(db, 1)
    const log = await fetch(`${url}/jobs/1/log`)
    expect(await log.text()).toContain('hello')
  } finally {
    await Promise.all(processes.map(({ stop }) => stop()))
  }
}

test(
  'three processes, one for each role, do the work together',
  () => expectWholeStory({}),
  120_000,
)

test(
  'the three processes can keep the queue in Redis',
  { ...needs(redis), timeout: 120_000 },
  async () => {
    const server = await startRedis()
    try {
      await expectWholeStory({ REDIS_URL: server.url })
    } finally {
      await server.stop()
    }
  },
)
