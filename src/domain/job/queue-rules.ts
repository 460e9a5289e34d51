import { isMap } from '../config/config-value.ts'
import type { JobConfig } from './job.ts'

/** Jobs that all matchers fit go to a queue; a matcher fits if one of its values does. */
export interface QueueRule {
  queue: string
  matchers: readonly { name: Matcher; values: readonly string[] }[]
}

const ofRepository = ['slug', 'owner'] as const
const ofConfig = [
  ...(['os', 'dist', 'arch', 'group', 'osx_image', 'virt', 'sudo'] as const),
  ...(['language', 'services', 'vm_size'] as const),
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
  return { name, values: listed.toLowerCase().split('|') }
}

/** The queue of a job: that of the first rule that fits. */
export function queueOf(rules: readonly QueueRule[], slug: string, config: JobConfig): string {
  const fits = ({ name, values }: QueueRule['matchers'][number]) =>
    valuesOf(name, slug, config).some((value) => values.includes(value.toLowerCase()))
  return rules.find((rule) => rule.matchers.every(fits))?.queue ?? defaultQueue
}

function valuesOf(name: Matcher, slug: string, config: JobConfig): string[] {
  if (name === 'slug') return [slug]
  if (name === 'owner') return slug.split('/').slice(0, 1)
  const value =
    name === 'vm_size' ? (isMap(config.vm) ? config.vm['size'] : undefined) : config[name]
  const all: unknown[] = [value].flat()
  // The first language is the job's.
  return (name === 'language' ? all.slice(0, 1) : all).flatMap((each) =>
    typeof each === 'string' || typeof each === 'boolean' ? String(each) : [],
  )
}
