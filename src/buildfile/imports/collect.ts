import { composeText } from '../compose/compose-text.ts'
import type { ConditionData } from '../conditions/data.ts'
import { holds } from '../conditions/evaluate.ts'
import type { Message } from '../messages/message.ts'
import { unreadableMessage } from '../messages/unreadable.ts'
import type { MapNode } from '../tree/node.ts'
import { defaultMode, isImportMode, isMergeMode, type MergeMode } from './mode.ts'
import { type ImportTarget, resolveReference, targetKey } from './reference.ts'
import { type Import, importsOf, textAt, type WrittenText } from './section.ts'
import {
  type CollectedSource,
  type Load,
  type Loaded,
  maximumSources,
  type Start,
} from './source.ts'

export interface ImportContext {
  /** owner/name of the repository being built. */
  repository: string
  /** The data that conditions are evaluated with; its message replaces `%{commit_message}`. */
  data: ConditionData
}

export interface Collected {
  /** In order of precedence. */
  sources: CollectedSource[]
  messages: Message[]
}

/** A file whose imports are being read. */
interface Importing {
  target: ImportTarget
  src: string | null
}

interface Collection extends Collected {
  load: Load
  context: ImportContext
  seen: Set<string>
  /** The number of files that can still be read. */
  left: number
}

/**
 * Reads all imports, depth first and each file once (CF-43). Imports that cannot be read are left out,
 * with a message. The starts are in order of precedence.
 */
export async function collectImports(
  starts: readonly Start[],
  load: Load,
  context: ImportContext,
): Promise<Collected> {
  const { repository } = context
  const seen = new Set<string>()
  const left = maximumSources - starts.length
  const collection: Collection = { load, context, sources: [], messages: [], seen, left }
  const targets = starts.map(({ path }) => ({ repository, path: path ?? '', ref: null }))
  for (const target of targets) isFirst(seen, target)

  let mode: MergeMode = defaultMode
  for (const [index, start] of starts.entries()) {
    const [own, target] = [mode, targets[index]]
    mode = modeBelow(collection, start)
    // The source before it replaces this one, so neither it nor its imports count.
    if (own === 'replace' || !target) continue
    const { file, raw, src } = start
    collection.sources.push({ root: file.root, mode: own, src, file, raw })
    await importAll(collection, file.root, { target, src })
  }
  return { sources: collection.sources, messages: collection.messages }
}

/** The mode in which lower sources are merged with an API configuration (RQ-23). */
function modeBelow(collection: Collection, { file, raw, src, path }: Start): MergeMode {
  if (path !== null) return defaultMode
  const written = textAt(file.root, 'merge_mode')
  const mode = raw.merge_mode ?? written?.text ?? defaultMode
  if (isMergeMode(mode)) return mode
  collection.messages.push(messageAt(src, written, unknownValue(['merge_mode'], mode)))
  return defaultMode
}

async function importAll(
  collection: Collection,
  root: MapNode,
  importing: Importing,
): Promise<void> {
  for (const each of importsOf(root)) await importOne(collection, each, importing)
}

async function importOne(
  collection: Collection,
  wanted: Import,
  importing: Importing,
): Promise<void> {
  const { context, seen, messages } = collection
  const report = (body: MessageBody) => messages.push(messageAt(importing.src, wanted, body))
  const { source, condition } = wanted
  if (condition !== null && !holds(condition, context.data)) {
    report(skipped(source, condition))
    return
  }
  const target = resolveReference(source, importing.target, (text) => fill(text, context.data))
  // This also stops circular imports.
  if (target && !isFirst(seen, target)) return
  collection.left -= 1
  if (collection.left === -1) report(importError('too_many_imports', { max: maximumSources }))
  if (collection.left < 0) return
  if (!target) {
    report(importError('invalid_ref', { ref: source }))
    return
  }
  const mode = isImportMode(wanted.mode?.text) ? wanted.mode.text : defaultMode
  reportFaults(collection, wanted, importing)
  const loaded = await collection.load(target)
  if (loaded.kind === 'missing') {
    const repo = isHere(target, context) ? {} : { repo: target.repository }
    report(importError('unknown_import', { source, ...repo }))
  }
  if (loaded.kind === 'refused') report(importError(loaded.refusal.code, loaded.refusal.args))
  if (loaded.kind === 'loaded') await readLoaded(collection, loaded, { target, mode })
}

function isFirst(seen: Set<string>, target: ImportTarget): boolean {
  const before = seen.size
  return seen.add(targetKey(target)).size > before
}

async function readLoaded(
  collection: Collection,
  { text, source, sha }: Extract<Loaded, { kind: 'loaded' }>,
  { target, mode }: { target: ImportTarget; mode: MergeMode },
): Promise<void> {
  const src = nameOf(target, collection.context)
  const file = composeText(text)
  if ('error' in file) {
    collection.messages.push(unreadableMessage(file, src))
    return
  }
  const raw = { source, sha, text, merge_mode: mode }
  collection.sources.push({ root: file.root, mode, src, file, raw })
  await importAll(collection, file.root, { target, src })
}

/** The name of a file in messages: its place, as seen from the commit being built. */
function nameOf(target: ImportTarget, context: ImportContext): string {
  const { repository, path, ref } = target
  return `${isHere(target, context) ? '' : `${repository}:`}${path}${ref === null ? '' : `@${ref}`}`
}

/** Whether a file is in the repository being built. */
function isHere({ repository }: ImportTarget, context: ImportContext): boolean {
  return repository.toLowerCase() === context.repository.toLowerCase()
}

/** Reports mistakes in the import itself. In the build file its normal form reports them. */
function reportFaults({ messages }: Collection, wanted: Import, { src }: Importing): void {
  if (src === null) return
  const { source, mode } = wanted
  for (const [, name = ''] of source.matchAll(/%\{([^{}]*)\}/g)) {
    if (name !== 'commit_message') messages.push(messageAt(src, wanted, unknownVar(name)))
  }
  if (mode && !isImportMode(mode.text)) {
    messages.push(messageAt(src, mode, unknownValue(['import', 'mode'], mode.text)))
  }
}

function fill(text: string, { commit_message }: ConditionData): string {
  const message = typeof commit_message === 'string' ? commit_message : ''
  return text.replaceAll('%{commit_message}', () => message)
}

/** A message without its location. */
type MessageBody = Pick<Message, 'level' | 'key' | 'code' | 'args'>

function importError(code: string, args: Record<string, unknown>): MessageBody {
  return { level: 'error', key: ['import'], code, args }
}

function skipped(source: string, condition: string): MessageBody {
  return { level: 'info', key: ['import'], code: 'skip_import', args: { source, condition } }
}

function unknownValue(key: string[], value: string): MessageBody {
  return { level: 'error', key, code: 'unknown_value', args: { value } }
}

function unknownVar(name: string): MessageBody {
  return { level: 'warn', key: ['import', 'source'], code: 'unknown_var', args: { var: name } }
}

function messageAt(
  src: string | null,
  location: Partial<Pick<WrittenText, 'at' | 'line'>> | undefined,
  body: MessageBody,
): Message {
  return {
    ...body,
    ...(location?.line !== undefined && { line: location.line }),
    ...(location?.at !== undefined && { at: location.at }),
    ...(src !== null && { src }),
  }
}
