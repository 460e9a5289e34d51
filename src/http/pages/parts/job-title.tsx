import type { Job } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'

/** A job's number and name, as a link. */
export function JobTitle({ job, href }: { job: Pick<Job, 'number' | 'name'>; href: string }) {
  return (
    <a class="title" href={href}>
      {job.number}
      {job.name !== null && (
        <>
          {' '}
          <bdi>{visible(job.name)}</bdi>
        </>
      )}
    </a>
  )
}
