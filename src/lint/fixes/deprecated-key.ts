import { countJobs } from '../../buildfile/expand/expand-jobs.ts'
import { type Config, isEmpty, listOf } from '../../buildfile/expand/values.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from '../context/context.ts'
import { allConditions } from '../context/sections.ts'
import { writtenIndex } from '../context/written.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { removeEntry } from './remove-entry.ts'
import { writeKey } from './rename-key.ts'

/** Deprecated keys, each with the key of opposite meaning that replaced it. */
const opposites: Readonly<Record<string, string>> = {
  skip_cleanup: 'cleanup',
  skip_upload_docs: 'upload_docs',
  no_promote: 'promote',
  no_stop_previous_version: 'stop_previous_version',
}

export function fixDeprecatedKey(message: Message, context: LintContext): ProposedFix | undefined {
  const { args = {} } = message
  const key = String(args.key)
  if (String(args.info).includes('anchor')) return writeKey(message, `_${key}`, context)
  if (key === 'sudo') return context.once(sudoIsIdle) ? removeEntry(message, context) : undefined
  const opposite = opposites[key]
  return opposite === undefined ? undefined : writeOpposite(message, opposite, context)
}

/**
 * Whether the number of jobs is the same without `sudo`, and no list or condition mentions it. The
 * number can only differ if included jobs set another `sudo` than the root.
 */
function sudoIsIdle({ config, plan, once }: LintContext): boolean {
  const hasSudo = (list: string) =>
    listOf(isMap(config.jobs) ? config.jobs[list] : undefined).some(
      (entry) => isMap(entry) && 'sudo' in entry,
    )
  const isUsed =
    once(allConditions).some(({ text }) => /\bsudo\b/.test(text)) ||
    hasSudo('exclude') ||
    hasSudo('allow_failures')
  if (isUsed) return false
  return saysTheSame(config) || plan().total === countJobs(withoutSudo(config))
}

/** Whether each included job with `sudo` has the same value as the root, and other keys as well. */
function saysTheSame({ jobs, sudo }: Config): boolean {
  return listOf(isMap(jobs) ? jobs.include : undefined).every(
    (entry) =>
      !isMap(entry) || !('sudo' in entry) || (entry.sudo === sudo && Object.keys(entry).length > 1),
  )
}

function withoutSudo(config: Config): Config {
  const { sudo: _sudo, jobs, ...others } = config
  if (!isMap(jobs)) return { ...others, jobs }
  const include = listOf(jobs.include).map((entry) => {
    if (!isMap(entry)) return entry
    const { sudo: _sudo, ...kept } = entry
    // A `sudo` that is the only key of an entry stays.
    return isEmpty(kept) ? entry : kept
  })
  return { ...others, jobs: { ...jobs, include } }
}

function writeOpposite(
  message: Message,
  name: string,
  context: LintContext,
): ProposedFix | undefined {
  const fix = writeKey(message, name, context)
  const members = message.at && context.once(writtenIndex).members.get(message.at.start)
  const value = members?.[0]?.entry.value
  if (!fix || value?.kind !== 'bool') return undefined
  const text = String(!value.value)
  return {
    title: `write "${name}: ${text}"`,
    edits: [...fix.edits, { start: value.start, end: value.end, text }],
    safe: true,
  }
}
