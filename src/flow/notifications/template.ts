import { resultSentence } from '../../domain/notification.ts'
import { slugOf } from '../../domain/repository.ts'
import { secondsBetween } from '../../domain/time/seconds-between.ts'
import type { FlowConfig } from '../context.ts'
import { buildUrl } from '../statuses/links.ts'
import type { BuildFacts } from './build-facts.ts'

export type TemplateValues = Readonly<Record<string, string>>

/** The values of the names in a template. */
export function templateValues(
  config: Pick<FlowConfig, 'publicUrl'>,
  { build, repository, commit, request, pull, cause }: BuildFacts,
): TemplateValues {
  const slug = slugOf(repository)
  const { started_at, finished_at } = build
  const elapsed = started_at && finished_at ? secondsBetween(started_at, finished_at) : null
  return {
    repository: slug,
    repository_slug: slug,
    repository_name: repository.name,
    build_number: String(build.number),
    build_id: String(build.id),
    build_url: buildUrl(config, slug, build.id),
    branch: commit.branch,
    commit: (request.head_commit ?? commit.sha).slice(0, 7),
    commit_subject: commit.message.split('\n')[0] ?? '',
    commit_message: commit.message,
    author: commit.author_name ?? '',
    pull_request: String(build.event_type === 'pull_request'),
    pull_request_number: pull ? String(pull.number) : '',
    pull_request_url: pull?.html_url ?? '',
    compare_url: commit.compare_url ?? '',
    result: build.state,
    message: resultSentence(build),
    cause: cause ?? '',
    duration: durationText(build.duration),
    elapsed_time: durationText(elapsed),
  }
}

/**
 * A template with its names replaced by their values, and unknown names by nothing. The result is cut to
 * `most` characters: a template can repeat a long message any number of times.
 */
export function filled(template: string, values: TemplateValues, most: number): string {
  let text = ''
  let from = 0
  for (const { 0: whole, 1: name = '', index } of template.matchAll(/%\{(\w+)\}/g)) {
    if (text.length >= most) break
    text += template.slice(from, index) + (Object.hasOwn(values, name) ? (values[name] ?? '') : '')
    from = index + whole.length
  }
  return (text + template.slice(from)).slice(0, most)
}

/** `2 min 5 sec`; empty for null. */
function durationText(seconds: number | null): string {
  if (seconds === null) return ''
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const parts = [
    hours > 0 ? `${hours} hrs` : '',
    minutes > 0 ? `${minutes} min` : '',
    `${rest} sec`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
