import type { Build } from '../../../domain/build.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'

export function presentRepository(repository: Repository, last: Build | null) {
  return {
    id: repository.id,
    slug: slugOf(repository),
    description: repository.description,
    active: repository.active,
    last_build_id: last?.id ?? null,
    last_build_number: last ? String(last.number) : null,
    last_build_state: last?.state ?? null,
    last_build_duration: last?.duration ?? null,
    last_build_language: null,
    last_build_started_at: time(last?.started_at ?? null),
    last_build_finished_at: time(last?.finished_at ?? null),
    codehost_language: repository.codehost_language,
  }
}
