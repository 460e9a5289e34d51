import { pino } from 'pino'
import type { Codehosts } from '../../src/codehost/codehost.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/flow/context.ts'
import type { HttpContext } from '../../src/http/core/context.ts'
import { openRates } from '../../src/http/identity/rate-limits.ts'
import { openBudget } from '../../src/http/lint/budget.ts'
import { StoreError } from '../../src/objects/objects.ts'
import {
  type EntryOptions,
  type Enqueue,
  type Payloads,
  type QueueName,
  queueNames,
} from '../../src/queue/queues.ts'
import { keyPairMaker } from '../../src/secrets/key-pair.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { readSchemaFiles } from '../../src/service/contexts.ts'
import { siteOf } from '../../src/service/site.ts'
import type { Database } from '../../src/store/tables.ts'
import { memoryNotifier } from './memory-notifier.ts'
import { oneByOne } from './one-by-one.ts'
import { directReader } from './reader.ts'

/** The time that it is in tests, unless they turn the clock. */
export const noon = new Date('2026-01-02T12:00:00Z')

export interface RungBell {
  name: QueueName
  payload: Payloads[QueueName]
  options?: EntryOptions
}

export interface TestContext extends HttpContext {
  /** What was enqueued so far, in order. */
  enqueued: RungBell[]
  /** Turns the clock forward. */
  pass(seconds: number): void
}

export const testSealer = createSealer(Buffer.alloc(32, 7))
export const testLog = pino({ level: 'silent' })

const noStore = (place: string) => {
  throw new StoreError(`there is no store ${place} here`)
}

/** A context on a database, with a stopped clock and bells that only note that they were enqueued. */
export function testContext(db: Database, codehosts: Codehosts = {}): TestContext {
  const config = readConfig({ DATA_DIR: '/nowhere', PUBLIC_URL: 'https://ci.example.org' })
  const enqueued: RungBell[] = []
  let now = noon
  const enqueue: Enqueue = async (name, payload, options) => {
    enqueued.push({ name, payload, ...(options ? { options } : {}) })
  }
  const ctx: Context = {
    db,
    enqueue,
    enqueueAll: oneByOne(enqueue),
    codehosts,
    notifier: memoryNotifier(),
    sealer: testSealer,
    objects: { current: undefined, at: noStore },
    // Smaller than in earnest, and soon made.
    newKeyPair: keyPairMaker(1024),
    log: testLog,
    reader: directReader,
    now: () => now,
    config: { ...config, publicUrl: 'https://ci.example.org' },
  }
  return {
    ...ctx,
    enqueued,
    pass: (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    site: siteOf(config, 3000),
    streaming: {
      app: { id: 'app', key: '278d425bdf160c739803', secret: 'streaming-secret' },
      signedFor: async () => {},
    },
    intake: {
      secrets: { codehost: ['secret'], local: ['local secret'] },
      accept: async () => true,
    },
    lintBudget: openBudget(() => now),
    rates: openRates(() => now),
    noticesOf: async () => [],
    reportNoticesOf: async () => [],
    schemaFiles: readSchemaFiles,
    queueCounts: async () =>
      queueNames.map((name) => ({ name, waiting: 1, delayed: 0, active: 2, failed: 0 })),
    readiness: async () => ({}),
  }
}
