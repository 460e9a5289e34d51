import type { CheckAction } from '../../codehost/codehost.ts'
import { approveAction } from '../../domain/request/approval.ts'
import type { FlowConfig } from '../context.ts'

type Site = Pick<FlowConfig, 'publicUrl'>

/** The page of a build; also what a commit status points to. */
export function buildUrl({ publicUrl }: Site, slug: string, id: number): string {
  return `${publicUrl}/${slug}/builds/${id}`
}

export function jobUrl({ publicUrl }: Site, slug: string, id: number): string {
  return `${publicUrl}/${slug}/jobs/${id}`
}

export function repositoryUrl({ publicUrl }: Site, slug: string): string {
  return `${publicUrl}/${slug}`
}

/** The page where a user unsubscribes from the mails that a link is about. */
export function unsubscribeUrl({ publicUrl }: Site, link: string): string {
  return `${publicUrl}/unsubscribe/${link}`
}

/** The button with which a maintainer approves the commit of a fork (SV-26). */
export const approveButton: CheckAction = {
  label: 'Approve and build',
  description: 'Run this commit, which comes from a fork',
  identifier: approveAction,
}
