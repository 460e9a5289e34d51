import type { Commit, PullRequest } from '../../../domain/commit.ts'
import type { EventType } from '../../../domain/request.ts'
import { ExternalLink } from './external-link.tsx'

export const eventWords: Record<EventType, string> = {
  push: 'Push',
  pull_request: 'Pull request',
  api: 'Request by API',
  cron: 'Cron',
}

/** The first line of a commit's message, by which people know it. */
export function subjectOf({ message }: Pick<Commit, 'message'>): string {
  return message.trimStart().split('\n', 1)[0]?.trim() || '(no message)'
}

/** What follows the subject; empty when there is nothing. */
export function bodyOf({ message }: Pick<Commit, 'message'>): string {
  const text = message.trimStart()
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end).trim()
}

export function Subject({ commit }: { commit: Pick<Commit, 'message'> }) {
  return <bdi>{subjectOf(commit)}</bdi>
}

export function Sha({ sha }: { sha: string }) {
  return <code title={sha}>{sha.slice(0, 7)}</code>
}

interface PlaceProps {
  commit: Pick<Commit, 'branch' | 'tag_name'> | null
  pullRequest: Pick<PullRequest, 'number' | 'title' | 'html_url'> | null
}

/** Where a build belongs: a pull request, a tag or a branch. */
export function Place(props: PlaceProps) {
  const kind = placeKind(props)
  return (
    <span>
      {kind === 'Branch' ? '' : `${kind.toLowerCase()} `}
      <PlaceName {...props} />
    </span>
  )
}

export function placeKind({ commit, pullRequest }: PlaceProps): 'Pull request' | 'Tag' | 'Branch' {
  if (pullRequest) return 'Pull request'
  return commit !== null && commit.tag_name !== null ? 'Tag' : 'Branch'
}

/** The same without the word for what it is. */
export function PlaceName({ commit, pullRequest }: PlaceProps) {
  if (!pullRequest) return <bdi>{commit?.tag_name ?? commit?.branch}</bdi>
  const { number, title, html_url } = pullRequest
  return (
    <>
      <ExternalLink href={html_url}>#{number}</ExternalLink> <bdi>{title}</bdi>
    </>
  )
}
