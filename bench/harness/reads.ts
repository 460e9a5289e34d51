import { createHash, randomBytes } from 'node:crypto'
import { benchmark, type Bench } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import { compare, type Window } from './compare.ts'
import { type Load, openLoad, type Shot } from './load.ts'
import { type Random, randomFrom } from './random.ts'
import { fillReads, type Rows, rowsOf } from './read-rows.ts'
import { median, percentile, rounded } from './statistics.ts'

const connections = 16

/** A read of one thing, as both sides are asked for it. */
interface Read {
  path(random: Random, rows: Rows): string
  headers: Readonly<Record<string, string>>
}

/** A server that is asked for reads. */
interface Reader {
  /** Asks once. */
  fetch(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** A window of reads; the figure is how many a second got this status. */
  window(next: () => Asked, status?: number): Window
  figures(): Figures
}

interface Figures {
  per_second: number
  p50_ms: number
  p99_ms: number
}

interface Asked {
  path: string
  headers?: Readonly<Record<string, string>>
}

interface Sides {
  candidate: Reader
  /** Opens the anchor, on the same rows. */
  openAnchor(): Promise<Reader>
  rows: Rows
  random: Random
}

/** The real service over its rows, read with the token of a user. */
async function openReads(bench: Bench): Promise<Sides> {
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
        const outcome = await load.fire({
          next: () => shotOf(next(), own),
          ms: plan.window,
          status,
        })
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

function shotOf({ path, headers = {} }: Asked, own: Readonly<Record<string, string>>): Shot {
  const lines = Object.entries({ ...own, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const bytes = `GET ${path} HTTP/1.1\r\nhost: ci.example.org\r\n${lines.join('')}\r\n`
  return { id: path, bytes: Buffer.from(bytes) }
}

/** Compares one kind of read of the service with the anchor's, after both gave the same answer. */
export async function benchmarkRead(bench: string, { path, headers }: Read): Promise<void> {
  await benchmark({ bench, goal: 0.5, better: 'higher', noise: 0.15 }, async (benched) => {
    const { candidate, openAnchor, rows, random } = await openReads(benched)
    const anchor = await openAnchor()
    const next = () => ({ path: path(random, rows), headers })
    const bytes = await sameAnswer(next().path, headers, [candidate, anchor])
    const sides = { candidate: candidate.window(next), anchor: anchor.window(next) }
    const comparison = await compare(sides, benched.plan)
    const figures = { candidate: candidate.figures(), anchor: anchor.figures() }
    const p99_met = isTailShort(figures)
    const further = { floor: 0.4, moonshot: 0.85, bytes, rows, ...figures, p99_met }
    return { comparison, further: p99_met ? further : { ...further, met: false } }
  })
}

/** How many times the median the slowest hundredth of reads can take. */
const longestTail = 8

/** Whether the slowest reads are near enough to the others, or the machine lets the anchor's be no nearer. */
function isTailShort({ candidate, anchor }: { candidate: Figures; anchor: Figures }): boolean {
  const isShort = ({ p50_ms, p99_ms }: Figures) => p99_ms <= longestTail * p50_ms
  return isShort(candidate) || !isShort(anchor)
}

/**
 * Throws unless both send the same, but for line breaks in JSON, which only the service writes.
 * Returns how long the service's is.
 */
async function sameAnswer(
  path: string,
  headers: Readonly<Record<string, string>>,
  readers: readonly Reader[],
): Promise<number> {
  const answers = await Promise.all(
    readers.map(async (reader) => {
      const response = await reader.fetch(path, headers)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const compact = isJson ? JSON.stringify(JSON.parse(text)) : text
      return { text, told: `${response.status} ${compact}` }
    }),
  )
  const [candidate, anchor] = answers
  if (candidate?.told !== anchor?.told) {
    throw new Error(`GET ${path} differs:\n${answers.map(({ told }) => told).join('\n')}`)
  }
  return Buffer.byteLength(candidate?.text ?? '')
}

/**
 * Compares reads of what the client has already with the same reads answered in full, by the real
 * service alone.
 */
export async function benchmarkUnchanged(bench: string, { path, headers }: Read): Promise<void> {
  await benchmark({ bench, goal: 1.43, better: 'higher', noise: 0.15 }, async (benched) => {
    const { candidate, rows, random } = await openReads(benched)
    const tags = new Map<string, string>()
    for (let known = 0; known < mostKnown; known++) {
      const asked = path(random, rows)
      const etag = (await candidate.fetch(asked, headers)).headers.get('etag')
      if (!etag) throw new Error(`GET ${asked} has no ETag`)
      tags.set(asked, etag)
    }
    const known = [...tags]
    const next = () => {
      const [asked, etag] = known[random.whole(known.length)] ?? ['/', '']
      return { path: asked, headers: { ...headers, 'if-none-match': etag } }
    }
    const whole = () => ({ path: next().path, headers })
    const sides = { candidate: candidate.window(next, 304), anchor: candidate.window(whole) }
    const comparison = await compare(sides, benched.plan)
    return { comparison, further: { floor: 1, rows } }
  })
}

/** How many things the client knows. */
const mostKnown = 500
