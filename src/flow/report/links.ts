import type { FlowConfig } from '../context.ts'

/** The page of a build; also what a commit status points to. */
export function buildUrl(
  { publicUrl }: Pick<FlowConfig, 'publicUrl'>,
  slug: string,
  id: number,
): string {
  return `${publicUrl}/${slug}/builds/${id}`
}

export function jobUrl({ publicUrl }: FlowConfig, slug: string, id: number): string {
  return `${publicUrl}/${slug}/jobs/${id}`
}

export function repositoryUrl({ publicUrl }: FlowConfig, slug: string): string {
  return `${publicUrl}/${slug}`
}
