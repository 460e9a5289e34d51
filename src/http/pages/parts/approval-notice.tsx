import type { ComponentChildren } from 'preact'
import type { Build } from '../../../domain/build.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { stateClass } from './state-badge.tsx'

interface ApprovalNoticeProps {
  build: Build
  /** How it is approved. */
  children: ComponentChildren
}

/** That a build waits until a maintainer has approved its commit (SV-26); nothing for one that does not. */
export function ApprovalNotice({ build, children }: ApprovalNoticeProps) {
  if (!build.waits_for_approval || isFinished(build)) return null
  return (
    <div class={`notice ${stateClass('created')}`} role="note">
      <strong>This build waits for approval.</strong> Its commit comes from a fork, so a maintainer
      has to review it first. {children}
    </div>
  )
}
