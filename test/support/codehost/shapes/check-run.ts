import { type Annotation, type CheckRun, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'
import { app } from './app.ts'

export function checkRun(world: World, given: CheckRun): Answer<'checks', 'get'> {
  const { id, repository, head_sha, name, external_id, details_url, status, conclusion } = given
  const url = `${world.apiUrl}/repos/${slugOf(repository)}/check-runs/${id}`
  return {
    id,
    name,
    node_id: nodeId('CheckRun', id),
    head_sha,
    external_id,
    url,
    details_url,
    html_url: `${world.url}/${slugOf(repository)}/runs/${id}`,
    status,
    conclusion,
    started_at: timestamp(given.started_at),
    completed_at: given.completed_at ? timestamp(given.completed_at) : null,
    output: {
      ...given.output,
      annotations_count: given.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: given.suite_id },
    app: app(world),
    pull_requests: [],
  }
}

export function annotation(
  world: World,
  { repository, head_sha }: CheckRun,
  given: Annotation,
): Answer<'checks', 'listAnnotations'>[number] {
  const blob = `${world.url}/${slugOf(repository)}/blob/${head_sha}/${given.path}`
  return { ...given, blob_href: blob }
}
