import type { CheckAction } from '../../codehost/codehost.ts'
import { approveAction } from '../../domain/request/approval.ts'

/** The button with which a maintainer approves the commit of a fork (SV-26). */
export const approveButton: CheckAction = {
  label: 'Approve and build',
  description: 'Run this commit, which comes from a fork',
  identifier: approveAction,
}
