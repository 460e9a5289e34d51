import { findCommit } from '../../../../src/codehost/local/commits.ts'
import { announce } from '../deliveries.ts'
import { about } from '../events/payload.ts'
import { nodeId, timestamp } from '../shapes/answer.ts'
import { app } from '../shapes/app.ts'
import { checkRun } from '../shapes/check-run.ts'
import { type CheckRun, type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { doerOf } from './accounts.ts'

/** Asks for a check run once more. */
export async function rerequest(world: World, run: CheckRun, by?: string): Promise<void> {
  const { repository } = run
  const payload = {
    action: 'rerequested',
    check_run: { ...checkRun(world, run), check_suite: suite(world, run) },
    ...about(world, repository, doerOf(world, repository, by)),
  }
  await announce(world, { event: 'check_run', payload, repository })
}

/** Presses a button of a check run. */
export async function press(
  world: World,
  run: CheckRun,
  identifier: string,
  by?: string,
): Promise<void> {
  const { repository } = run
  const payload = {
    action: 'requested_action',
    check_run: { ...checkRun(world, run), check_suite: suite(world, run) },
    requested_action: { identifier },
    ...about(world, repository, doerOf(world, repository, by)),
  }
  await announce(world, { event: 'check_run', payload, repository })
}

/** Asks for all check runs of a commit once more. */
export async function rerequestSuite(
  world: World,
  repository: Repository,
  sha: string,
  by?: string,
): Promise<void> {
  const runs = world.tables.checkRuns.filter(
    (each) => each.repository === repository && each.head_sha === sha,
  )
  const [first] = runs
  if (!first) throw new Error(`there is no check run at ${sha}`)
  const head = await findCommit(world.git, repository.folder, sha)
  const payload = {
    action: 'rerequested',
    check_suite: {
      ...suite(world, first),
      latest_check_runs_count: runs.length,
      check_runs_url: `${suite(world, first).url}/check-runs`,
      head_commit: {
        id: sha,
        tree_id: head?.tree,
        message: head?.message,
        timestamp: timestamp(head?.committed_at ?? new Date(0)),
        author: { name: head?.author_name, email: head?.author_email },
        committer: { name: head?.committer_name, email: head?.committer_email },
      },
    },
    ...about(world, repository, doerOf(world, repository, by)),
  }
  await announce(world, { event: 'check_suite', payload, repository })
}

function suite(
  world: World,
  { suite_id, head_sha, repository, status, conclusion, started_at }: CheckRun,
) {
  return {
    id: suite_id,
    node_id: nodeId('CheckSuite', suite_id),
    head_branch: null,
    head_sha,
    status,
    conclusion,
    before: null,
    after: head_sha,
    pull_requests: [],
    url: `${world.apiUrl}/repos/${slugOf(repository)}/check-suites/${suite_id}`,
    app: app(world),
    created_at: timestamp(started_at),
    updated_at: timestamp(started_at),
  }
}
