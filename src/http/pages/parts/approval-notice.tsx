import type { ComponentChildren } from 'preact'
import type { Build } from '../../../domain/build.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { stateClass } from './state-badge.tsx'

interface ApprovalNoticeProps {
  build: Build
  /** How to approve it. */
  children: ComponentChildren
}

/** Notice that a build waits until a maintainer approves its commit (SV-26); empty for other builds. */
export function ApprovalNotice({ build, children }: ApprovalNoticeProps) {
  if (!build.waits_for_approval || isFinished(build)) return null
  return (
    <div class={`notice ${stateClass('created')}`} role="note">
      <strong>This build waits for approval.</strong> Its commit comes from a fork, so a maintainer
      has to review it first. {children}
    </div>
  )
}
