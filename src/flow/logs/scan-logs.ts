import { itself } from '../../domain/audit.ts'
import type { LogPart, SecretsFound } from '../../domain/log/log.ts'
import { type FoundToken, type Stretch, unite } from '../../domain/text/token-shapes.ts'
import { ReadingStopped } from '../../reader/reader.ts'
import { findJobToRun } from '../../store/jobs/jobs-to-run.ts'
import type { SettledLog } from '../../store/jobs/log-objects.ts'
import { storeScan, type ScannedText, textsFromLog } from '../../store/jobs/log-scans.ts'
import { isUnreachable } from '../../store/sql/unreachable.ts'
import { belowFoundSecrets } from '../../texts/log-endings.ts'
import { audit } from '../audit.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import type { Context } from '../context.ts'
import { secretsInLog } from '../jobs/prepare-job.ts'
import { readJobSecrets } from '../secrets/job-secrets.ts'
import { transact } from '../transact.ts'
import { readLog } from './read-log.ts'
import { type Search, searchFor } from './search-text.ts'

/** Replaces a secret, as in the output of a running job. */
const cover = '[secure]'

/**
 * Searches the stored log of a finished job for the job's secrets and for tokens of well-known services, once.
 * Secrets that it finds are masked, also in stored texts about the log, and reported: below the log, with the job, and in the
 * audit records. Parts and lines keep their numbers.
 */
export async function scanLog(ctx: Context, log: SettledLog): Promise<void> {
  const { id, attempt: current, attempts } = log
  const search = searchFor(ctx, id, attempts.length > 0 ? await secretsOf(ctx, id) : [])
  const parts: (LogPart & { attempt: number })[] = []
  const size = { parts: 0, bytes: 0 }
  let foundInCurrent: SecretsFound | null = null
  const changed: Record<string, SecretsFound> = {}
  for (const attempt of attempts) {
    const read: LogPart[] = []
    for await (const page of readLog(ctx, id, { attempt })) read.push(...page)
    const text = read.map(({ content }) => content).join('')
    size.parts += read.filter(({ content }) => content !== '').length
    size.bytes += Buffer.byteLength(text)
    const found = await search(text)
    if (found.length === 0) continue
    const counts = countsOf(found)
    changed[attempt] = counts
    if (attempt === current) foundInCurrent = counts
    parts.push(...masked(read, found, counts).map((part) => ({ ...part, attempt })))
  }
  const texts = await maskTextsFromLog(ctx, id, search)
  await transact(ctx, async (tx) => {
    await lockBuildOfJob(tx.db, id)
    const scan = { log, size, parts, texts, found: foundInCurrent }
    if (!(await storeScan(tx.db, scan)) || Object.keys(changed).length === 0) return
    await audit(tx, itself, {
      action: 'mask_secrets',
      subject_type: 'job',
      subject_id: id,
      changed: { attempts: changed },
    })
  })
}

/** The secrets that the job gets now; those of its settings can have changed since it ran. */
async function secretsOf(ctx: Context, id: number): Promise<string[]> {
  const run = await findJobToRun(ctx.db, id)
  if (!run?.repository) return []
  try {
    return secretsInLog(ctx, run, await readJobSecrets(ctx, run))
  } catch (error) {
    if (isUnreachable(error)) throw error
    ctx.log.warn({ job_id: id, err: error }, 'a log is searched for tokens alone')
    return []
  }
}

function countsOf(found: readonly FoundToken[]): SecretsFound {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  return Object.fromEntries(
    kinds.map((kind) => [kind, unite(found.filter((each) => each.kind === kind)).length]),
  )
}

/**
 * The parts that change, with their secrets covered; the last part also lists the secrets that were
 * found.
 */
function masked(
  parts: readonly LogPart[],
  found: readonly FoundToken[],
  counts: SecretsFound,
): LogPart[] {
  const stretches = unite(found)
  let start = 0
  const contents = parts.map(({ content }) => {
    const bytes = Buffer.from(content)
    const shown = covered(bytes, start, stretches)
    start += bytes.length
    return shown
  })
  return parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1
    const content = `${contents[index] ?? ''}${isLast ? belowFoundSecrets(counts) : ''}`
    return content === part.content ? [] : [{ ...part, content }]
  })
}

/** A piece of a text, which begins at `start`, with its secrets covered. Line breaks within them stay. */
function covered(bytes: Buffer, start: number, stretches: readonly Stretch[]): string {
  const end = start + bytes.length
  let at = start
  let shown = ''
  for (const { from, to } of stretches) {
    if (to <= start) continue
    if (from >= end) break
    shown += bytes.toString('utf8', at - start, Math.max(from, start) - start)
    at = Math.min(to, end)
    const hidden = bytes.toString('latin1', Math.max(from, start) - start, at - start)
    shown += (from >= start ? cover : '') + '\n'.repeat(hidden.split('\n').length - 1)
  }
  return shown + bytes.toString('utf8', at - start)
}

/** Texts of the log that are stored elsewhere, masked if a secret is found in them. */
async function maskTextsFromLog(ctx: Context, id: number, search: Search): Promise<ScannedText[]> {
  const changed: ScannedText[] = []
  for (const text of await textsFromLog(ctx.db, id)) {
    const found = await search(text.text)
    if (found.length === 0) continue
    changed.push({ ...text, text: covered(Buffer.from(text.text), 0, unite(found)) })
  }
  return changed
}

/** Whether a search ended only because the service stops; such a search is repeated. */
export const isInterrupted = (error: unknown) => error instanceof ReadingStopped
