import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

interface RelayOptions {
  /** Address of the relay, to which the code host sends webhooks. */
  relay: string
  /** Our own intake. */
  target: string
  log: Logger
}

/** Pauses before reconnecting to the relay, in milliseconds. */
const pauses = [1000, 5000, 30_000]
const mostBuffered = 64 * 1024 * 1024

/**
 * Receives webhooks from a relay such as smee.io and sends them to our own intake, which checks their
 * signatures: for development on a machine that the code host cannot reach.
 */
export function openRelay({ relay, target, log }: RelayOptions): { close(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    for (let failed = 0; !signal.aborted; failed += 1) {
      try {
        await follow(relay, signal, (data) => {
          failed = 0
          return forward(target, data, log)
        })
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `the webhook relay ${relay} is not connected`)
      }
      const wait = pauses[Math.min(failed, pauses.length - 1)]
      await pause(wait, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** Reads the relay's event stream to its end. */
async function follow(
  relay: string,
  signal: AbortSignal,
  receive: (data: string) => Promise<void>,
): Promise<void> {
  const response = await fetch(relay, { headers: { accept: 'text/event-stream' }, signal })
  if (!response.ok || !response.body) throw new Error(`it responded with ${response.status}`)
  let waiting = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    waiting += text.replaceAll('\r', '')
    if (waiting.length > mostBuffered) throw new Error('it sent an incomplete event')
    const events = waiting.split('\n\n')
    waiting = events.pop() ?? ''
    for (const event of events) {
      const data = dataOf(event)
      if (data !== undefined) await receive(data)
    }
  }
}

/** The data of a message; undefined for the relay's own events, `ready` and `ping`. */
function dataOf(event: string): string | undefined {
  const fields = event.split('\n').map((line) => /^(\w+):? ?(.*)$/s.exec(line) ?? [])
  if (fields.some(([, name, value]) => name === 'event' && value !== 'message')) return undefined
  const data = fields.flatMap(([, name, value = '']) => (name === 'data' ? value : []))
  return data.length === 0 ? undefined : data.join('\n')
}

/** A webhook arrives as one object: its parsed body, and its headers as other members. */
async function forward(target: string, data: string, log: Logger): Promise<void> {
  try {
    const { body, ...members } = JSON.parse(data) as Record<string, unknown>
    const headers = Object.entries(members).flatMap(([name, value]) =>
      /^x-(?:github|hub)-/i.test(name) && typeof value === 'string' ? [[name, value]] : [],
    )
    const { status } = await fetch(target, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (status !== 204) log.warn({ status }, 'a webhook from the relay was refused')
  } catch (error) {
    log.warn({ err: error }, 'a webhook from the relay could not be passed on')
  }
}
