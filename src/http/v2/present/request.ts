import { time } from '../../../domain/time/api-time.ts'
import type { RequestRecords, RequestInList } from '../../../store/requests/request-records.ts'

export function presentRequest(request: RequestInList, { commit, pull, build_id }: RequestRecords) {
  return {
    id: request.id,
    repository_id: request.repository_id,
    commit_id: request.commit_id,
    created_at: time(request.created_at),
    owner_id: request.owner_id,
    owner_type: request.owner_type,
    event_type: request.event_type,
    base_commit: request.base_commit,
    head_commit: request.head_commit,
    result: request.result,
    message: request.message,
    pull_request: request.event_type === 'pull_request',
    pull_request_number: pull?.number ?? null,
    pull_request_title: pull?.title ?? null,
    branch: commit?.branch ?? null,
    tag: commit?.tag_name ?? null,
    build_id,
  }
}
