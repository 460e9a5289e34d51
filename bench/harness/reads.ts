import { createHash, randomBytes } from 'node:crypto'
import { benchmark, type Bench } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import { compare, type Window } from './compare.ts'
import { type Load, openLoad } from './load.ts'
import { type Random, randomFrom } from './random.ts'
import { fillReads, type Rows, rowsOf } from './read-rows.ts'
import { median, percentile, rounded } from './statistics.ts'

const connections = 16

/** A read of one thing, as both sides are asked for it. */
export interface Read {
  path(random: Random, rows: Rows): string
  headers: Readonly<Record<string, string>>
}

/** A server that is asked for reads. */
export interface Reader {
  /** Asks once. */
  fetch(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** A window of reads; the figure is how many a second got this status. */
  window(next: () => Asked, status?: number): Window
  figures(): { per_second: number; p50_ms: number; p99_ms: number }
}

interface Asked {
  path: string
  headers?: Readonly<Record<string, string>>
}

export interface Sides {
  candidate: Reader
  /** Opens the anchor, on the same rows. */
  openAnchor(): Promise<Reader>
  rows: Rows
  random: Random
}

/** The real service over its rows, read with the token of a user. */
export async function openReads(bench: Bench): Promise<Sides> {
  const { place, databases, plan } = bench
  const database = await databases.create('reads')
  const settings = {
    DATABASE_URL: database,
    DATA_DIR: place.folder('data'),
    PORT: '0',
    ROLE: 'web',
  }
  const service = place.keep(await startChild(place, 'candidates/webhook-intake.ts', settings))
  const rows = rowsOf(plan)
  const token = randomBytes(16).toString('base64url')
  await fillReads(database, rows, createHash('sha256').update(token).digest('hex'))
  const open = (child: Child, headers: Readonly<Record<string, string>>) =>
    openReader(bench, child, headers)
  return {
    rows,
    random: randomFrom(1),
    candidate: await open(service, { authorization: `token ${token}` }),
    async openAnchor() {
      const anchor = await startChild(place, 'anchors/api-read.ts', { DATABASE_URL: database })
      return open(place.keep(anchor), {})
    },
  }
}

async function openReader(
  { place, plan }: Bench,
  { url }: Child,
  own: Readonly<Record<string, string>>,
): Promise<Reader> {
  const load: Load = place.keep(await openLoad(url, connections))
  const rates: number[] = []
  const latencies: number[] = []
  return {
    fetch: (path, headers = {}) =>
      fetch(url + path, { headers: { 'accept-encoding': 'identity', ...own, ...headers } }),
    window:
      (next, status = 200) =>
      async () => {
        const shot = () => {
          const { path, headers = {} } = next()
          return { id: path, bytes: requestOf(path, { ...own, ...headers }) }
        }
        const outcome = await load.fire({ next: shot, ms: plan.window, status })
        if (outcome.failures > 0) {
          throw new Error(`${outcome.failures} reads were not answered with ${status}`)
        }
        latencies.push(...outcome.latencies)
        rates.push(outcome.stored.length / outcome.seconds)
        return rates.at(-1) ?? 0
      },
    figures: () => ({
      per_second: Math.round(median(rates)),
      p50_ms: rounded(percentile(latencies, 0.5)),
      p99_ms: rounded(percentile(latencies, 0.99)),
    }),
  }
}

function requestOf(path: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ci.example.org\r\n${lines.join('')}\r\n`)
}

/** Compares one kind of read of the service with the anchor's, after both sent the same bytes. */
export async function benchmarkRead(bench: string, { path, headers }: Read): Promise<void> {
  await benchmark({ bench, goal: 0.6, better: 'higher', noise: 0.15 }, async (benched) => {
    const { candidate, openAnchor, rows, random } = await openReads(benched)
    const anchor = await openAnchor()
    const next = () => ({ path: path(random, rows), headers })
    const bytes = await sameBytes(next().path, headers, [candidate, anchor])
    const sides = { candidate: candidate.window(next), anchor: anchor.window(next) }
    const comparison = await compare(sides, benched.plan)
    return {
      comparison,
      further: {
        floor: 0.4,
        moonshot: 0.85,
        bytes,
        rows,
        candidate: candidate.figures(),
        anchor: anchor.figures(),
      },
    }
  })
}

async function sameBytes(
  path: string,
  headers: Readonly<Record<string, string>>,
  readers: readonly Reader[],
): Promise<number> {
  const texts = await Promise.all(
    readers.map(async (reader) => {
      const response = await reader.fetch(path, headers)
      return `${response.status} ${await response.text()}`
    }),
  )
  const [candidate = '', anchor] = texts
  if (candidate !== anchor) throw new Error(`GET ${path} differs:\n${texts.join('\n')}`)
  return Buffer.byteLength(candidate) - 4
}
