/** What V2.1 shows of records that the factories make, where a test does not say otherwise. */

export const shownCommit = {
  id: 1,
  sha: 'a'.repeat(40),
  branch: 'main',
  tag: null,
  message: 'Say hello',
  committed_at: '2026-01-02T12:00:00Z',
  author_name: 'Octavia',
  author_email: 'octavia@example.org',
  committer_name: 'Octavia',
  committer_email: 'octavia@example.org',
  compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
  pull_request_number: null,
}

export const shownBuild = {
  id: 1,
  repository_id: 1,
  commit_id: 1,
  number: '1',
  event_type: 'push',
  pull_request: false,
  pull_request_title: null,
  pull_request_number: null,
  config: {},
  state: 'created',
  started_at: null,
  finished_at: null,
  duration: null,
  job_ids: [] as number[],
}

export const shownJob = {
  id: 1,
  repository_id: 1,
  repository_slug: 'octavia/hello',
  build_id: 1,
  stage_id: null,
  commit_id: 1,
  log_id: 1,
  number: '1.1',
  config: { language: 'generic' },
  state: 'created',
  started_at: null,
  finished_at: null,
  queue: 'builds.linux',
  allow_failure: false,
  tags: null,
}

export const shownRepository = {
  id: 1,
  slug: 'octavia/hello',
  description: null,
  active: true,
  last_build_id: null,
  last_build_number: null,
  last_build_state: null,
  last_build_duration: null,
  last_build_language: null,
  last_build_started_at: null,
  last_build_finished_at: null,
  codehost_language: null,
}

/** The ids of the records in a list, such as `builds`. */
export function idsOf(body: unknown, list: string): number[] {
  return ((body as Record<string, { id: number }[]>)[list] ?? []).map(({ id }) => id)
}
