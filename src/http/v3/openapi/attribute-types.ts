import { jobStates } from '../../../domain/job/job.ts'
import { eventTypes } from '../../../domain/request/request.ts'
import {
  anyObject,
  anyOf,
  integer,
  integerOrNull,
  listOf,
  nothing,
  objectOf,
  oneOf,
  orNull,
  type JsonSchema,
  text,
  textOrNull,
  time,
  timeOrNull,
  truth,
} from '../../openapi/schema.ts'

const person = objectOf({ name: textOrNull, avatar_url: textOrNull })

/**
 * Types of attributes by their names, which mean the same everywhere; resources with a different meaning
 * have their own `types`. Attributes that are other resources are known without this table.
 */
const types: Readonly<Record<string, JsonSchema>> = {
  ...each(
    integer,
    `
    id size repository_id organization_id build_count subscription_type credit_card_block_duration
    captcha_block_duration attempts waiting delayed failed slots jobs
  `,
  ),
  ...each(
    integerOrNull,
    `
    codehost_id duration pull_request_number next_build_number last_build_id concurrency_limit
    line queue_position subject_id actor_id token_id repository_codehost_id request_id build_id
    response_status
  `,
  ),
  ...each(
    text,
    `
    slug login number owner_name vcs_name vcs_type server_type sha level merge_mode ref code
    public_key fingerprint timezone actor subject_type address guid event kind target provider
    outcome host executor isolation version os arch @raw_log_href
  `,
  ),
  ...each(
    textOrNull,
    `
    name description message queue vm_size vcs_id codehost_language src avatar_url email content
    compare_url feedback_url source key branch pull_request_title pull_request_mergeable
    branch_name base_commit head_commit yaml_config category action problem inactive_reason
    start_at reason cancel_reason lost_reason image
  `,
  ),
  ...each(
    truth,
    `
    active private starred shared managed_by_installation config_validation ro_mode
    allow_migration trial_allowed internal is_syncing public recently_signed_up default_branch
    exists_on_codehost priority enabled allow_failure log_complete public_repos private_repos
    collaborator email_subscribed dont_run_if_recent_build_exists final user_usage
    pending_user_licenses payment_changes_block_credit payment_changes_block_captcha kept alive
    sees_private
  `,
  ),
  ...each(time, 'updated_at next_run'),
  ...each(
    timeOrNull,
    `
    created_at started_at finished_at queued_at received_at canceled_at restarted_at committed_at
    synced_at last_activity_at last_run last_modified last_used_at expires_at processed_at
    heartbeat_at stopped_at sent_at
  `,
  ),
  ...each(oneOf(jobStates), 'state'),
  ...each(
    nothing,
    `
    active_on_org migration_status history_migration_status scan_failed_at private_key token
    education secure_user_hash confirmed_at build_permission
  `,
  ),
  ...each(listOf(text), 'emails scopes waiting_reasons full_messages notes'),
  ...each(listOf(anyObject), 'custom_keys log_parts checks job_configs dropped_jobs'),
  ...each(anyObject, 'config args changed request_config'),
  secrets_found: orNull(anyObject),
  author: person,
  committer: person,
  value: anyOf(truth, integer, text, nothing),
  event_type: oneOf(eventTypes),
  interval: oneOf(['daily', 'weekly', 'monthly']),
  previous_state: orNull(oneOf(jobStates)),
  result: orNull(oneOf(['approved', 'rejected'])),
}

/** The type of attributes of this name; undefined if it is not in the table. */
export function usualTypeOf(attribute: string): JsonSchema | undefined {
  return types[attribute]
}

/** One schema for all these names, which are separated by white space. */
function each(schema: JsonSchema, names: string): Record<string, JsonSchema> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, schema]),
  )
}
