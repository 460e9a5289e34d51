// The least that leads from a webhook to started jobs: check the signature, insert the event, notify;
// request, build and jobs in one transaction, notify for all of them at once; set each of them started.
// Statements are prepared, which makes the anchor faster, as those of the service are.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'

const { DATABASE_URL = '', REDIS_URL, WEBHOOK_SECRET = '' } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
await pool.query(`
  create table events (id bigserial primary key, guid text unique, body bytea);
  create table requests (id bigserial primary key, event_id bigint references events, sha text);
  create table builds (id bigserial primary key, request_id bigint references requests);
  create table jobs (id bigserial primary key, build_id bigint references builds,
    number integer, state text not null default 'queued', started_at timestamptz)
`)

const { connection, backend } = REDIS_URL
  ? { connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }), backend: [] }
  : { connection: await queuePool(), backend: [createPostgresBackend] }
// More at once is more than what Redis' socket takes, which then may wait 200 ms before it takes the rest.
const mostAtOnce = 50
const wiring = { connection: connection as never }
const removed = { ...wiring, defaultJobOptions: { removeOnComplete: true } }
const events = new Queue<{ id: string }>('anchor.event', removed, ...(backend as never[]))
const starts = new Queue<{ id: string }>('anchor.start', removed, ...(backend as never[]))
let jobs = 1
let left = 0
let allStarted = () => {}
let rest = Promise.resolve()

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post<{ Body: Buffer }>('/webhooks/codehost', async ({ headers, body }, reply) => {
  const wanted = Buffer.from(
    `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
  )
  const given = Buffer.from(String(headers['x-hub-signature-256']))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return reply.code(401).send()
  }
  const { rows } = await pool.query<{ id: string }>({
    name: 'event',
    text: 'insert into events (guid, body) values ($1, $2) returning id',
    values: [headers['x-github-delivery'], body],
  })
  await events.add('event', { id: rows[0]?.id ?? '' })
  return reply.code(204).send()
})

async function build({ data }: { data: { id: string } }): Promise<void> {
  const found = await pool.query<{ body: Buffer }>({
    name: 'body',
    text: 'select body from events where id = $1',
    values: [data.id],
  })
  const { after } = JSON.parse(found.rows[0]?.body.toString('utf8') ?? '') as { after: string }
  const { rows } = await pool.query<{ id: string }>({
    name: 'build',
    text: `with request as (insert into requests (event_id, sha) values ($1, $2) returning id),
       build as (insert into builds (request_id) select id from request returning id)
     insert into jobs (build_id, number)
     select build.id, number from build, generate_series(1, $3::int) number returning id`,
    values: [data.id, after, jobs],
  })
  for (let at = 0; at < rows.length; at += mostAtOnce) {
    const some = rows.slice(at, at + mostAtOnce)
    await starts.addBulk(some.map(({ id }) => ({ name: 'start', data: { id } })))
  }
}

async function start({ data }: { data: { id: string } }): Promise<void> {
  await pool.query({
    name: 'start',
    text: `update jobs set state = 'started', started_at = now() where id = $1 and state = 'queued'`,
    values: [data.id],
  })
  if (left === jobs)
    process.send?.({ started: { at: Number(process.hrtime.bigint()) / 1e6, calls: 0 } })
  left -= 1
  if (left === 0) allStarted()
}

async function queuePool(): Promise<pg.Pool> {
  const shared = new pg.Pool({
    connectionString: DATABASE_URL,
    max: 10,
    options: '-c search_path=bullmq',
  }).setMaxListeners(0)
  const client = await shared.connect()
  await runMigrations(client)
  client.release()
  return shared
}

const workers = [
  new Worker('anchor.event', build, wiring, ...(backend as never[])),
  new Worker('anchor.start', start, { ...wiring, concurrency: 16 }, ...(backend as never[])),
]
for (const worker of workers) worker.on('failed', (_entry, error) => console.error(error))

process.on('message', (message: { set?: { jobs: number }; ready?: true; rest?: true }) => {
  if (message.set) jobs = message.set.jobs
  if (message.ready) {
    left = jobs
    rest = new Promise((resolve) => (allStarted = resolve))
  }
  const until = message.rest ? rest : Promise.resolve()
  void until.then(() => process.send?.(message))
})
process.once('disconnect', () => process.exit())
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
