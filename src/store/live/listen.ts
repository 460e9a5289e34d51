import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createClient } from '../sql/client.ts'
import { type Notice, noticeChannel } from './notices.ts'

/** Milliseconds between two checks of the connection, and within which a check must come back. */
const beats = { every: 15_000, within: 5000 }
const pauseAfterLoss = 1000

export interface Listening {
  /** Resolves after the first connection, or the first failure to connect. */
  begun: Promise<void>
  close(): Promise<void>
}

interface Listener {
  take(notice: Notice): void
  /** Notices may have been lost; called after each new connection but the first. */
  resumed(): void
  /** The connection broke, or no longer delivers notices. */
  failed(error: Error): void
  /**
   * Number of an advisory lock, which only one of the listeners that name it holds. `leads` reports
   * when this connection gets or loses it.
   */
  lock?: { number: number; leads(leading: boolean): void }
}

/**
 * Listens for notices on a separate connection, which is renewed when it breaks. A half-open
 * connection reports no error, so the listener sends notices to itself; a pooler in transaction
 * mode does not return them either.
 */
export function listenForNotices(
  connection: pg.ClientConfig,
  listener: Listener,
  { every, within } = beats,
): Listening {
  const id = randomUUID()
  const closing = new AbortController()
  let stopCurrent: (() => void) | undefined
  /** Any client of the database can send a notice with other members than those of its kind. */
  function take(notice: Notice): void {
    try {
      listener.take(notice)
    } catch (error) {
      listener.failed(error as Error)
    }
  }

  let started: (() => void) | undefined
  const begun = new Promise<void>((resolve) => {
    started = resolve
  })

  async function connectOnce(isFirst: boolean): Promise<void> {
    const client = createClient({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      // On a half-open connection a query would otherwise wait for as long as TCP repeats it.
      query_timeout: within,
    })
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve).on('error', () => resolve())
      stopCurrent = resolve
    })
    let back = 0
    client.on('notification', ({ payload }) => {
      const notice = readNotice(payload)
      if (notice?.kind === 'beat') {
        if (notice.listener === id) back = notice.number
      } else if (notice) take(notice)
    })
    try {
      await client.connect()
      await client.query(`listen ${noticeChannel}`)
      await lead(client)
      if (!isFirst) listener.resumed()
      started?.()
      await Promise.race([ended, keepBeating(client, () => back)])
      if (!closing.signal.aborted) throw new Error('the connection for notices ended')
    } finally {
      listener.lock?.leads(false)
      client.end().catch(() => {})
    }
  }

  async function lead(client: pg.Client): Promise<void> {
    if (!listener.lock) return
    const { rows } = await client.query<{ held: boolean }>(
      `select exists (
        select from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid() and objid::bigint = $1::bigint
      ) or pg_try_advisory_lock($1::bigint) as held`,
      [listener.lock.number],
    )
    listener.lock.leads(rows[0]?.held ?? false)
  }

  /** Returns if a notice to itself did not return in time. */
  async function keepBeating(client: pg.Client, back: () => number): Promise<void> {
    for (let number = 1; ; number += 1) {
      const beat: Notice = { kind: 'beat', listener: id, number }
      await client.query(`select pg_notify('${noticeChannel}', $1)`, [JSON.stringify(beat)])
      await wait(within)
      if (back() < number) {
        throw new Error(
          'notices do not come through the connection to PostgreSQL: it must be a direct connection, ' +
            'not one through a pooler in transaction mode',
        )
      }
      await lead(client)
      await wait(every - within)
    }
  }

  const wait = (milliseconds: number) =>
    pause(milliseconds, undefined, { signal: closing.signal, ref: false })

  async function listen(): Promise<void> {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      try {
        await connectOnce(isFirst)
      } catch (error) {
        if (closing.signal.aborted) return
        listener.failed(error as Error)
        started?.()
        await wait(pauseAfterLoss).catch(() => {})
      }
    }
  }

  const done = listen()
  return {
    begun,
    async close() {
      closing.abort()
      stopCurrent?.()
      started?.()
      await done
    },
  }
}

/** Whether a notice that is sent through a connection comes back. */
export async function noticesArrive(
  connection: pg.ClientConfig,
  within = beats.within,
): Promise<boolean> {
  const id = randomUUID()
  const client = createClient({
    ...connection,
    connectionTimeoutMillis: 10_000,
    query_timeout: within,
  })
  const arrived = new Promise<boolean>((resolve) => {
    client.on('notification', ({ payload }) => {
      const notice = readNotice(payload)
      if (notice?.kind === 'beat' && notice.listener === id) resolve(true)
    })
  })
  try {
    await client.connect()
    await client.query(`listen ${noticeChannel}`)
    const beat: Notice = { kind: 'beat', listener: id, number: 1 }
    await client.query(`select pg_notify('${noticeChannel}', $1)`, [JSON.stringify(beat)])
    return await Promise.race([arrived, pause(within, false, { ref: false })])
  } finally {
    client.end().catch(() => {})
  }
}

/** Undefined for a text that is not a notice: any client of the database can send one. */
function readNotice(text = ''): Notice | undefined {
  try {
    const read = JSON.parse(text) as Notice | null
    return typeof read?.kind === 'string' ? read : undefined
  } catch {
    return undefined
  }
}
