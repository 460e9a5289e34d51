import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import type { EventType } from '../../../domain/request/request.ts'
import { shortened } from '../../../domain/text/shortened.ts'
import { ExternalLink } from './external-link.tsx'

export const eventLabels: Record<EventType, string> = {
  push: 'Push',
  pull_request: 'Pull request',
  api: 'Request by API',
  cron: 'Cron',
}

const longestTitle = 200

/** The title to show, shortened if it is too long for a list. */
const shortTitle = (title: string) => shortened(title, longestTitle)

function firstLineOf({ message }: Pick<Commit, 'message'>): string {
  return message.trimStart().split('\n', 1)[0]?.trim() ?? ''
}

/** The first line of a commit's message, shortened. */
export function subjectOf(commit: Pick<Commit, 'message'>): string {
  return shortTitle(firstLineOf(commit)) || '(no message)'
}

/** The message after its first line, or an empty text; the whole message if that line is shortened. */
export function bodyOf(commit: Pick<Commit, 'message'>): string {
  const text = commit.message.trimStart()
  if (firstLineOf(commit).length > longestTitle) return text.trim()
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end).trim()
}

export function Subject({ commit }: { commit: Pick<Commit, 'message'> }) {
  return <bdi>{subjectOf(commit)}</bdi>
}

export function Sha({ sha }: { sha: string }) {
  return <code title={sha}>{sha.slice(0, 7)}</code>
}

interface BuildTargetProps {
  commit: Pick<Commit, 'branch' | 'tag_name'> | null
  pullRequest: Pick<PullRequest, 'number' | 'title' | 'html_url'> | null
}

/** The target of a build: a pull request, a tag or a branch. */
export function BuildTarget(props: BuildTargetProps) {
  const kind = targetKind(props)
  return (
    <span>
      {kind === 'Branch' ? '' : `${kind.toLowerCase()} `}
      <TargetName {...props} />
    </span>
  )
}

export function targetKind({
  commit,
  pullRequest,
}: BuildTargetProps): 'Pull request' | 'Tag' | 'Branch' {
  if (pullRequest) return 'Pull request'
  return commit !== null && commit.tag_name !== null ? 'Tag' : 'Branch'
}

/** The target of a build without its kind. */
export function TargetName({ commit, pullRequest }: BuildTargetProps) {
  if (!pullRequest) return <bdi>{commit?.tag_name ?? commit?.branch}</bdi>
  const { number, title, html_url } = pullRequest
  return (
    <>
      <ExternalLink href={html_url}>#{number}</ExternalLink> <bdi>{shortTitle(title)}</bdi>
    </>
  )
}
