import type { Job, JobState } from '../domain/job/job.ts'
import { isFinished } from '../domain/job/job.ts'
import { placeText, sourceName } from '../domain/request/request.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import type { Service } from '../service/start.ts'
import type { Database } from '../store/tables.ts'
import { shownLog } from './shown-log.ts'
import { paint } from './terminal.ts'
import { type WatchedDelivery, watch } from './watch.ts'

const colours: Partial<Record<JobState, 'green' | 'red' | 'blue'>> = {
  passed: 'green',
  failed: 'red',
  errored: 'red',
  started: 'blue',
}

const levelColours = { alert: 'red', error: 'red', warn: 'yellow', info: 'blue' } as const

/** Prints each hop as it happens until this many builds have finished; true when all passed. */
export async function printStory(
  { ctx }: Service,
  builds: number,
  stop: AbortSignal,
): Promise<boolean> {
  const ended = new Map<number, string>()

  await watch(
    ctx.db,
    {
      delivery(delivery) {
        if (delivery.state === 'received') return
        const { event, action, outcome } = delivery
        printHop(
          'webhook',
          visible(`${event}${action ? ` ${action}` : ''}${commitText(delivery)}: ${outcome}`),
        )
      },
      request(request, messages) {
        const verdict = request.message ?? 'a build is created'
        const { id, event_type, result } = request
        printHop('request', `${id} (${event_type}) ${result}: ${visible(verdict)}`)
        for (const { level, text, src, line } of messages) {
          const where = line === null ? sourceName(src) : placeText({ file: src, line })
          printHop('finding', `${paint(levelColours[level], level)} ${visible(`${where} ${text}`)}`)
        }
      },
      build({ id, number, state, event_type }) {
        printHop('build', `${number} (${event_type}) is ${painted(state)}`)
        if (isFinished({ state })) ended.set(id, state)
      },
      job: ({ number, state }) => printHop('job', `${number} is ${painted(state)}`),
      log: writeLog,
      status({ state, context, description, sha }) {
        printHop('status', `${sha.slice(0, 7)} ${context}: ${state} (${visible(description)})`)
      },
    },
    async () => ended.size >= builds && (await allIsPublished(ctx.db)),
    stop,
  )
  return [...ended.values()].every((state) => state === 'passed')
}

/** The commit of a webhook that created a request. */
function commitText({ branch, sha, pull_request }: WatchedDelivery): string {
  if (branch === null || sha === null) return ''
  const pull = pull_request === null ? '' : `, pull request ${pull_request}`
  return ` (${branch} ${sha.slice(0, 7)}${pull})`
}

function printHop(hop: string, text: string): void {
  write(`${paint('dim', hop.padEnd(9))} ${text}`)
}

function painted(state: JobState): string {
  const colour = colours[state]
  return colour === undefined ? state : paint(colour, state)
}

async function allIsPublished(db: Database): Promise<boolean> {
  const waiting = await db
    .selectFrom('outbox')
    .select('id')
    .where('published_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return waiting === undefined
}

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes each line of a log with the number of its job before it: several jobs run at once. */
function writeLog({ number }: Job, content: string): void {
  for (const line of shownLog(content).split(/\r?\n/)) {
    const shown = line.trimEnd()
    if (shown !== '') write(`${paint('dim', `log ${number}`.padEnd(9))} ${shown}`)
  }
}
