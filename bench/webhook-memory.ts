// How much memory hostile webhooks hold: 200 connections that send gzip bombs of 24 MB, then 200 that
// send large bodies without ever ending them. The figure is the most that the resident memory of the
// service, role `web`, grew by while they were open, in MB.
import { type ClientRequest, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Bench, benchmark } from './harness/benchmark.ts'
import { type Child, startChild } from './harness/child.ts'
import { pushBody, secret, sign } from './harness/push.ts'
import { rounded } from './harness/statistics.ts'

const mebibyte = 1024 * 1024
const connections = 200

const bomb = gzipSync(Buffer.alloc(24 * mebibyte))
const chunk = Buffer.alloc(mebibyte, 0x20)

let count = 0

/** A signature of the right form, which only the whole body could disprove. */
const usual = {
  'x-github-event': 'push',
  'x-github-delivery': 'bench',
  'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
}

await benchmark(
  { bench: 'webhook-memory', goal: 100, better: 'lower', noise: 0.15 },
  async (bench) => {
    const child = await openService(bench)
    await warmUp(child)
    const bombs = await grownBy(child, (sending) => void sending.end(bomb), {
      'content-encoding': 'gzip',
      'content-length': bomb.length,
    })
    const endless = await grownBy(child, (sending) => writeAll(sending), {})
    const answered = await warmUp(child)
    const ratio = Math.max(bombs.grown, endless.grown)
    const comparison = { ratio, p10: ratio, p90: ratio, aa: 1 }
    return { comparison, further: { bombs, endless, answered } }
  },
)

async function openService({ place, databases }: Bench): Promise<Child> {
  const settings = {
    DATABASE_URL: await databases.create('memory'),
    WEBHOOK_SECRET: secret,
    DATA_DIR: place.folder('data'),
    PORT: '0',
    ROLE: 'web',
  }
  return place.keep(await startChild(place, 'candidates/webhook-intake.ts', settings))
}

/** Ordinary deliveries; returns how many of them were stored. */
async function warmUp({ url }: Child): Promise<number> {
  let stored = 0
  for (let number = 0; number < 200; number++) {
    const body = pushBody(number)
    count += 1
    const headers = {
      ...usual,
      'x-github-delivery': `ordinary-${count}`,
      'x-hub-signature-256': sign(body),
    }
    const response = await fetch(new URL('/webhooks/codehost', url), {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    if (response.status === 204) stored += 1
  }
  return stored
}

/** Opens all connections at once, and watches the memory for ten seconds. */
async function grownBy(
  child: Child,
  send: (sending: ClientRequest) => void,
  headers: Record<string, string | number>,
) {
  const rest = await child.asks<number>('rss')
  const statuses: Record<string, number> = {}
  const open = Array.from({ length: connections }, () => {
    const sending = request(new URL('/webhooks/codehost', child.url), {
      method: 'POST',
      agent: false,
      headers: { ...usual, ...headers },
    })
    sending.on('response', (response) => {
      response.resume()
      const status = String(response.statusCode)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    sending.on('error', () => {})
    send(sending)
    return sending
  })
  let most = rest
  for (let tries = 0; tries < 100; tries++) {
    most = Math.max(most, await child.asks<number>('rss'))
    await pause(100)
  }
  for (const sending of open) sending.destroy()
  await pause(3000)
  const after = await child.asks<number>('rss')
  return {
    rest: inMegabytes(rest),
    grown: inMegabytes(most - rest),
    after: inMegabytes(after - rest),
    statuses,
  }
}

function writeAll(sending: ClientRequest, sent = 0): void {
  if (sent === 24 || sending.destroyed) return
  if (sending.write(chunk)) writeAll(sending, sent + 1)
  else sending.once('drain', () => writeAll(sending, sent + 1))
}

function inMegabytes(bytes: number): number {
  return rounded(bytes / 1e6)
}
