import type { Build } from '../../../domain/build.ts'
import type { PullRequest } from '../../../domain/commit/commit.ts'
import type { Repository } from '../../../domain/repository.ts'
import type { Request } from '../../../domain/request/request.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { ofBlockedText } from '../../../texts/blocked-text.ts'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { buildFormPath } from '../paths.ts'

interface ApprovalProps {
  frame: Frame
  repository: Repository
  build: Build
  request: Request | null
  pullRequest: PullRequest | null
  canApprove?: boolean
  blockedSender?: string | null
}

/** How to approve a build's commit, or why it can no longer be approved. */
export function Approval({
  frame,
  repository,
  build,
  canApprove = false,
  blockedSender = null,
  ...about
}: ApprovalProps) {
  const { request, pullRequest } = about
  const head = request?.head_commit ?? null
  if (head === null || pullRequest?.head_sha !== head) {
    return <>The pull request has new commits. Only its latest commit can be approved.</>
  }
  if (blockedSender !== null) return <>{visible(ofBlockedText(blockedSender))}.</>
  if (canApprove) {
    return (
      <Form
        viewer={frame.viewer}
        action={buildFormPath(frame.prefix, repository, build, 'approve')}
      >
        <p>
          An approval is for commit <code>{head}</code> alone, and ends with the next one or after
          30 days.
        </p>
        <button class="main">Approve {head.slice(0, 7)} and build it</button>
      </Form>
    )
  }
  return (
    <>
      Anyone with push access can approve it on this page when logged in, with the button of the
      check <code>service/config</code> on the pull request, or with{' '}
      <code>POST /request/{build.request_id}/approve</code> of the API, version 3.
    </>
  )
}
