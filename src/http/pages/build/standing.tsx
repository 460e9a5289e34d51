import type { ComponentChildren } from 'preact'
import type { Build } from '../../../domain/build.ts'
import type { PullRequest } from '../../../domain/commit/commit.ts'
import type { Repository } from '../../../domain/repository.ts'
import { leftQueueAction, queuedPullNumber } from '../../../domain/request/merge-queue.ts'
import type { Request } from '../../../domain/request/request.ts'
import { nowhere } from '../../../domain/request/superseded-push.ts'
import { Sha } from '../parts/commit-text.tsx'
import { ExternalLink } from '../parts/external-link.tsx'
import { buildPath } from '../paths.ts'

interface StandingProps {
  prefix: string
  repository: Repository
  request: Request | null
  pullRequest: PullRequest | null
  /** The newest build of the pull request, if that is a different build. */
  newer?: Pick<Build, 'id' | 'number'> | undefined
}

/** The purpose of a build that is not of the newest commit of its branch or pull request; empty for other builds. */
export function Standing(props: StandingProps) {
  const sentence = sentenceOf(props)
  return sentence && <p>{sentence}</p>
}

function sentenceOf(props: StandingProps): ComponentChildren {
  const { prefix, repository, request, pullRequest, newer } = props
  if (!request) return null
  if (queuedPullNumber(request.ref) !== null) {
    return (
      <span>
        {'For the merge queue of '}
        <bdi>{request.base_ref}</bdi>:{' '}
        {pullRequest && (
          <ExternalLink href={pullRequest.html_url}>#{pullRequest.number}</ExternalLink>
        )}
        , merged after the pull requests ahead of it.
        {request.action === leftQueueAction && ' The commit has left the queue.'}
      </span>
    )
  }
  if (pullRequest && request.head_commit !== null && pullRequest.head_sha !== request.head_commit) {
    return (
      <span>
        Superseded: the pull request is at <Sha sha={pullRequest.head_sha} /> now
        {newer && (
          <>
            {', see '}
            <a href={buildPath(prefix, repository, newer)}>build #{newer.number}</a>
          </>
        )}
        .
      </span>
    )
  }
  return request.overtaken_by === null ? null : <Overtaken by={request.overtaken_by} />
}

function Overtaken({ by }: { by: string }) {
  return (
    <span>
      {'Late: when this push arrived, the branch '}
      {by === nowhere ? (
        'was already deleted'
      ) : (
        <>
          was already at <Sha sha={by} />
        </>
      )}
      .
    </span>
  )
}
