import { createHash } from 'node:crypto'
import { isMap } from '../config/config-value.ts'
import type { JobConfig } from './job.ts'

/** Jobs that all matchers fit go to a queue; a matcher fits if one of its values does. */
export interface QueueRule {
  queue: string
  matchers: readonly { name: Matcher; values: readonly string[] }[]
}

/** The facts about a job that rules compare, in addition to its configuration. */
export interface QueuedJob {
  slug: string
  private: boolean
  /** The number of the job, as `12.3`: a share of all jobs always has the same jobs. */
  number: string
}

const ofRepository = ['slug', 'owner', 'repo_private'] as const
const ofConfig = [
  ...(['os', 'dist', 'arch', 'group', 'osx_image', 'virt', 'sudo'] as const),
  ...(['language', 'services', 'vm_size', 'gpu', 'percentage'] as const),
] as const
type Matcher = (typeof ofRepository)[number] | (typeof ofConfig)[number]

const matchers: readonly string[] = [...ofRepository, ...ofConfig]
const isMatcher = (name: string): name is Matcher => matchers.includes(name)

/** The queue of jobs that no rule fits. */
const defaultQueue = 'builds.linux'

export const isQueueName = (text: string) => /^[\w.-]{1,100}$/.test(text)

/**
 * Reads rules such as `gpu: owner=acme language=cpp|c; docker: services=docker`. Throws an error that says what
 * is allowed.
 */
export function readQueueRules(text: string): QueueRule[] {
  const entries = text.split(';').map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    const [, queue = '', rest = ''] = /^([^\s:]+):\s+(.+)$/s.exec(entry) ?? []
    if (!isQueueName(queue))
      throw new Error('must be queues, such as gpu: owner=acme; arm: arch=arm64')
    return { queue, matchers: rest.split(/\s+/).map(matcherIn) }
  })
}

function matcherIn(text: string): QueueRule['matchers'][number] {
  const [, name = '', listed = ''] = /^(\w+)=(.+)$/.exec(text) ?? []
  if (!isMatcher(name)) {
    throw new Error(`must have conditions such as owner=acme, with one of ${matchers.join(', ')}`)
  }
  const values = listed.toLowerCase().split('|')
  if (name === 'percentage' && !(values.length === 1 && /^(?:\d\d?|100)$/.test(listed))) {
    throw new Error('must have a number from 0 to 100 as percentage, such as percentage=10')
  }
  if (
    ['repo_private', 'gpu'].includes(name) &&
    !values.every((each) => /^(?:true|false)$/.test(each))
  ) {
    throw new Error(`must have ${name}=true or ${name}=false`)
  }
  return { name, values }
}

/** The queue of a job: that of the first rule that fits. */
export function queueOf(rules: readonly QueueRule[], job: QueuedJob, config: JobConfig): string {
  const fits = ({ name, values }: QueueRule['matchers'][number]) =>
    name === 'percentage'
      ? shareOf(job) < Number(values[0])
      : valuesOf(name, job, config).some((value) => values.includes(value.toLowerCase()))
  return rules.find((rule) => rule.matchers.every(fits))?.queue ?? defaultQueue
}

/** Evenly spread over jobs, from 0 to 99. */
function shareOf({ slug, number }: QueuedJob): number {
  return createHash('sha256').update(`${slug} ${number}`).digest().readUInt32BE() % 100
}

function valuesOf(
  name: Exclude<Matcher, 'percentage'>,
  { slug, private: isPrivate }: QueuedJob,
  config: JobConfig,
): string[] {
  if (name === 'slug') return [slug]
  if (name === 'owner') return slug.split('/').slice(0, 1)
  if (name === 'repo_private') return [String(isPrivate)]
  const size = isMap(config.vm) ? config.vm['size'] : undefined
  if (name === 'gpu') return [String(typeof size === 'string' && size.startsWith('gpu-'))]
  const value = name === 'vm_size' ? size : config[name]
  const all: unknown[] = [value].flat()
  // The first language is the job's.
  return (name === 'language' ? all.slice(0, 1) : all).flatMap((each) =>
    typeof each === 'string' || typeof each === 'boolean' ? String(each) : [],
  )
}
