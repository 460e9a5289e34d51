import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Containers, builds that are not kept for ever, runs of jobs, notices of what changes, and kept logs. */
export const secondRelease: Migration = {
  name: '0.2.0',

  async up(db) {
    await sql.raw(changes).execute(db)
    await sql.raw(notices).execute(db)
    await sql.raw(objects).execute(db)
  },
}

const changes = `
  -- How often the code host rejected it as invalid.
  alter table outbox add column rejections integer not null default 0;

  -- The image of the container that it ran in.
  alter table jobs add column image text;

  -- The queues that it takes jobs of; null for all.
  alter table runners add column queues text[];

  -- Pull requests from forks that FORK_APPROVAL lets run before an approval: the approval that stands for one,
  -- builds that run like that, runners that take such builds, and what an author has to show for.
  alter table approvals add column automatic boolean not null default false;
  alter table builds add column without_approval boolean not null default false;
  alter table runners add column without_approval boolean not null default false;
  alter table pull_requests add column author_codehost_id bigint;
  alter table pull_requests add column vouched boolean not null default false;

  -- Runs of canceled jobs that their runners have not ended yet, and when that has happened at the latest.
  create table ending_runs (
    job_id bigint primary key references jobs on delete cascade,
    attempt integer not null,
    runner_id text not null,
    ended_by timestamptz not null
  );
  create index ending_runs_runner_id_idx on ending_runs (runner_id);

  -- Foreign keys look for what still names a deleted commit or text.
  create index jobs_commit_id_idx on jobs (commit_id);
  create index request_configs_raw_config_id_idx on request_configs (raw_config_id);

  -- Builds that are kept no longer, so that links to them can say so.
  create table deleted_builds (
    id bigint primary key,
    repository_id bigint not null references repositories on delete cascade,
    number integer not null,
    private boolean not null,
    job_ids bigint[] not null,
    deleted_at timestamptz not null default now()
  );
  create index deleted_builds_job_ids_idx on deleted_builds using gin (job_ids);
  create index deleted_builds_repository_id_idx on deleted_builds (repository_id);

  -- Runs that ended by themselves: passed, failed or errored.
  create table job_runs (
    job_id bigint not null references jobs on delete cascade,
    attempt integer not null,
    repository_id bigint not null references repositories on delete cascade,
    -- The same for jobs at the same position of their builds with the same keys.
    job_key text not null,
    branch text not null,
    pull_request_id bigint references pull_requests on delete cascade,
    sha text not null,
    state text not null,
    -- What it had besides its commit.
    inputs jsonb not null,
    -- Why it failed, as its log shows.
    failure jsonb,
    -- Hash of the shape of its likeliest cause.
    cause text,
    -- Whether no limit or signal ended it, and its log was not removed.
    by_itself boolean not null,
    -- What changed outside the commit since the last run with the other result.
    outside jsonb,
    -- Hashes of the shapes of its lines, of the last runs that passed.
    shapes bytea,
    ended_at timestamptz not null default now(),
    primary key (job_id, attempt)
  );
  create index job_runs_repository_id_job_key_job_id_idx
    on job_runs (repository_id, job_key, job_id desc);
  create index job_runs_ended_at_idx on job_runs (ended_at);
  create index job_runs_pull_request_id_idx on job_runs (pull_request_id)
    where pull_request_id is not null;
`

/**
 * Notices for `store/live/notices.ts`: of jobs and builds that enter a state, and of rights that may have
 * ended. A statement sends one for up to a hundred rows, because a payload has at most 7,999 bytes.
 */
const notices = `
  create function notify_of_jobs() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      perform pg_notify('live', json_build_object('kind', 'jobs', 'jobs', json_agg(row))::text)
      from (
        select json_build_array(id, attempt, state, repository_id) as row,
          row_number() over (order by id) / 100 as page
        from changed
      ) as rows
      group by page order by page;
    else
      perform pg_notify('live', json_build_object('kind', 'jobs', 'jobs', json_agg(row))::text)
      from (
        select json_build_array(id, changed.attempt, changed.state, changed.repository_id) as row,
          row_number() over (order by id) / 100 as page
        from changed join before using (id)
        where changed.state <> before.state or changed.attempt <> before.attempt
      ) as rows
      group by page order by page;
    end if;
    return null;
  end $$;

  create function notify_of_builds() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      perform pg_notify('live', json_build_object('kind', 'build', 'id', id, 'state', state,
        'repository_id', repository_id)::text)
      from changed order by id;
    else
      perform pg_notify('live', json_build_object('kind', 'build', 'id', id, 'state', changed.state,
        'repository_id', changed.repository_id)::text)
      from changed join before using (id) where changed.state <> before.state order by id;
    end if;
    return null;
  end $$;

  create function notify_of_rights() returns trigger language plpgsql as $$
  begin
    if tg_table_name = 'repositories' then
      perform pg_notify('live', '{"kind":"rights"}')
      where exists (
        select from changed join before using (id)
        where changed.private and not before.private
          or changed.deleted_at is not null and before.deleted_at is null
          or changed.invalidated_at is not null and before.invalidated_at is null
      );
    else
      perform pg_notify('live', '{"kind":"rights"}');
    end if;
    return null;
  end $$;

  create trigger notify_of_new after insert on jobs referencing new table as changed
    for each statement execute function notify_of_jobs();
  create trigger notify_of_changed after update on jobs
    referencing new table as changed old table as before
    for each statement execute function notify_of_jobs();
  create trigger notify_of_new after insert on builds referencing new table as changed
    for each statement execute function notify_of_builds();
  create trigger notify_of_changed after update on builds
    referencing new table as changed old table as before
    for each statement execute function notify_of_builds();
  create trigger notify_of_rights after update on repositories
    referencing new table as changed old table as before
    for each statement execute function notify_of_rights();
  create trigger notify_of_rights after delete on permissions
    for each row execute function notify_of_rights();
  create trigger notify_of_lost_push after update on permissions
    for each row when (old.push and not new.push) execute function notify_of_rights();
  create trigger notify_of_rights after insert or update on repository_settings
    for each statement execute function notify_of_rights();
  create trigger notify_of_rights after update of revoked_at on tokens
    for each statement execute function notify_of_rights();
  create trigger notify_of_rights after update of blocked_at on users
    for each statement execute function notify_of_rights();
`

/** Finished logs as objects. Every object has a row before it is written, until after it was deleted. */
const objects = `
  create table log_objects (
    log_id bigint not null references logs on delete cascade,
    attempt integer not null,
    -- The store that it is in.
    place text not null,
    key text not null unique,
    begun_at timestamptz not null default now(),
    -- When it was read back and took the place of the parts; until then it may be written.
    stored_at timestamptz,
    -- Bytes of the text, and of the object.
    text_bytes bigint,
    object_bytes bigint,
    sha256 text,
    -- Where in the object the parts are.
    layout jsonb,
    -- When the lines came.
    times jsonb,
    primary key (log_id, attempt)
  );

  -- Objects that no row names any more, until the store has deleted them.
  create table deleted_objects (
    key text primary key,
    place text not null,
    log_id bigint not null,
    due_at timestamptz not null,
    attempts integer not null default 0
  );
  create index deleted_objects_due_at_idx on deleted_objects (due_at);
  create index deleted_objects_log_id_idx on deleted_objects (log_id);

  -- An object that may be written right now is deleted when no writer can be left.
  create function delete_object() returns trigger language plpgsql as $$
  begin
    insert into deleted_objects (key, place, log_id, due_at) values (old.key, old.place, old.log_id,
      now() + case when old.stored_at is null then interval '10 minutes' else interval '0' end);
    return null;
  end $$;
  create trigger delete_object after delete on log_objects
    for each row execute function delete_object();

  -- When all parts of the log had become objects; null again with the next attempt.
  -- When the log was searched for secrets, and what was found of the current attempt.
  alter table logs add column scanned_at timestamptz, add column secrets_found jsonb;
  create index logs_to_scan_idx on logs (id) where scanned_at is null and removed_at is null;
  create index logs_to_archive_idx on logs (id) where archived_at is null and removed_at is null;
  create function reopen_log() returns trigger language plpgsql as $$
  begin
    -- Whatever it was: who closes the log right now may have it locked.
    update logs set archived_at = null, scanned_at = null, secrets_found = null where id = new.id;
    return null;
  end $$;
  create trigger reopen_log after update of attempt on jobs
    for each row when (old.attempt <> new.attempt) execute function reopen_log();
`
