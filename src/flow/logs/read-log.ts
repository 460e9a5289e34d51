import { type LogPart, wholePart } from '../../domain/log/log.ts'
import { type ByteRange, MissingObject, type Shown, StoreError } from '../../objects/objects.ts'
import { unpackLog } from '../../objects/packed-log.ts'
import { findLogObject, findPlaceOfLog, type LogObject } from '../../store/jobs/log-objects.ts'
import { inTurn, type LogPage, type LogPartFilter, pageOfLog } from '../../store/jobs/log-pages.ts'
import { endOfParts } from '../../store/jobs/logs.ts'
import type { Context } from '../context.ts'

export type LogSource = Pick<Context, 'db' | 'objects'>

/** Parts of the first page, while the length of this log's parts is unknown. */
const firstParts = 256

/**
 * The parts of the current attempt, page by page, from the database or from the object that
 * replaced them: the only way to read a log. Each page is a separate statement, run when the page
 * is requested, so that a slow reader holds no connection. Throws if the job begins a new attempt
 * in the meantime: the following parts would be of another log.
 */
export async function* readLog(
  source: LogSource,
  logId: number,
  { after = wholePart - 1, ...filter }: LogPartFilter = {},
): AsyncGenerator<readonly LogPart[], undefined> {
  let begun: number | null = null
  let most = firstParts
  for (let last = after; ;) {
    const wanted = { ...filter, after: last, most }
    const read = () => pageOfLog(source.db, logId, wanted)
    const page: LogPage = begun === null || filter.numbers ? await read() : await inTurn(read)
    const { attempt, parts, isFull, stored } = page
    if (begun !== null && attempt !== begun) {
      throw new Error(`job ${logId} was started again while its log was read`)
    }
    if (attempt !== null && stored) {
      yield* readObject(source, logId, attempt, { ...filter, after: last })
      return
    }
    if (parts.length > 0) yield parts
    if (!isFull) return
    begun = attempt
    last = parts.at(-1)?.number ?? last
    most = page.fitting
  }
}

/** As `readLog`, for parts that have become an object. */
async function* readObject(
  source: LogSource,
  logId: number,
  attempt: number,
  filter: LogPartFilter & { after: number },
): AsyncGenerator<readonly LogPart[], undefined> {
  const object = await findLogObject(source.db, logId, attempt)
  // The log was removed in the meantime: its current parts are read from the beginning.
  if (!object) return yield* readLog(source, logId, { ...filter, attempt })
  let isBegun = false
  try {
    for await (const page of partsIn(source, object, filter)) {
      isBegun = true
      yield page
    }
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error
    const now = await findLogObject(source.db, logId, attempt)
    if (now?.key === object.key) {
      throw new StoreError(`${object.place} has lost the object ${object.key}`, error)
    }
    if (isBegun)
      throw new Error(`the log of job ${logId} was removed while it was read`, { cause: error })
    yield* readLog(source, logId, { ...filter, attempt })
  }
}

async function* partsIn(
  { objects }: LogSource,
  { place, key, layout }: LogObject,
  { after, numbers, joined = false }: LogPartFilter & { after: number },
): AsyncGenerator<readonly LogPart[], undefined> {
  const listed = numbers && new Set(numbers)
  const wants = (part: number) => part > after && (listed?.has(part) ?? true)
  const store = objects.at(place)
  const get = (range: ByteRange) => store.get(key, range)
  for await (const parts of unpackLog(layout, wants, get)) {
    const last = parts.at(-1)
    if (!last || !joined) yield parts
    else yield [{ ...last, content: parts.map(({ content }) => content).join('') }]
  }
}

/** A signed address of the object of a log, if its store can sign addresses. */
export async function addressOfLog(
  { db, objects }: LogSource,
  logId: number,
  attempt: number | undefined,
  shown: Shown,
): Promise<string | undefined> {
  const object = await findPlaceOfLog(db, logId, attempt)
  return object && objects.at(object.place).addressOf?.(object.key, shown)
}

/** The text of a log: of the current attempt, or of the attempt with this number. */
export async function textOfLog(
  source: LogSource,
  logId: number,
  attempt?: number,
): Promise<string> {
  let text = ''
  for await (const parts of readLog(source, logId, { attempt, joined: true })) {
    for (const { content } of parts) text += content
  }
  return text
}

/** Bytes of a character of the text. */
const mostBytes = 4

/** The end of the log of a job's current attempt: at least `characters` long, if the log is that long. */
async function endOfLog(source: LogSource, logId: number, characters: number): Promise<string> {
  const found = await endOfParts(source.db, logId, characters)
  if (!found.stored) return found.text
  const object = await findLogObject(source.db, logId)
  if (!object) return (await endOfParts(source.db, logId, characters)).text
  let after = object.layout.parts.length
  for (let bytes = 0; after > 0 && bytes < characters * mostBytes;) {
    after -= 1
    bytes += object.layout.parts[after]?.[1] ?? 0
  }
  const before = object.layout.parts[after - 1]?.[0]
  let text = ''
  const end = readLog(source, logId, { after: before, attempt: object.attempt, joined: true })
  for await (const parts of end) for (const { content } of parts) text += content
  return text
}

/**
 * As `endOfLog`; undefined while the store cannot be used, for views that also work without the
 * log.
 */
export async function endIfReachable(
  source: LogSource,
  logId: number,
  characters: number,
): Promise<string | undefined> {
  try {
    return await endOfLog(source, logId, characters)
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}
