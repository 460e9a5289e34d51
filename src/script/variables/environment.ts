import { firstText } from '../first-text.ts'
import type { ScriptInput } from '../input.ts'
import type { ChosenLanguage } from '../language/choose-language.ts'
import { bash, quote } from '../shell/bash.ts'

/** Program text that exports the built-in variables. Bash does not interpret their values. */
export function environment(
  input: ScriptInput,
  language: ChosenLanguage,
  { hasSecrets }: { hasSecrets: boolean },
): string {
  const variables = {
    CI: true,
    CONTINUOUS_INTEGRATION: true,
    SERVICE: true,
    PAGER: 'cat',
    ...jobVariables(input),
    ...commitVariables(input),
    ...configVariables(input, language.name),
    SERVICE_SECURE_ENV_VARS: hasSecrets,
    ...language.variables,
  }
  const exports = Object.entries(variables).map(
    ([name, value]) => `export ${name}=${quote(String(value ?? ''))}`,
  )
  return [...exports, detected].join('\n')
}

function jobVariables({ job, build, repository, app_host }: ScriptInput) {
  return {
    SERVICE_ALLOW_FAILURE: job.allow_failure,
    SERVICE_APP_HOST: app_host,
    SERVICE_BUILD_ID: build.id,
    SERVICE_BUILD_NUMBER: build.number,
    SERVICE_BUILD_STAGE_NAME: job.stage_name,
    SERVICE_BUILD_WEB_URL: build.web_url,
    SERVICE_EVENT_TYPE: build.event_type,
    SERVICE_JOB_ID: job.id,
    SERVICE_JOB_NAME: job.name,
    SERVICE_JOB_NUMBER: job.number,
    SERVICE_JOB_RESTARTED: job.restarted,
    SERVICE_JOB_RESTARTED_BY: job.restarted_by,
    SERVICE_JOB_WEB_URL: job.web_url,
    SERVICE_REPO_PRIVATE: repository.private,
    SERVICE_REPO_SLUG: repository.slug,
    SERVICE_TEST_RESULT: '',
  }
}

function commitVariables({ commit, pull_request: pull }: ScriptInput) {
  return {
    SERVICE_BRANCH: commit.branch,
    SERVICE_COMMIT: commit.sha,
    SERVICE_COMMIT_MESSAGE: firstBytes(commit.message, 32_768),
    SERVICE_COMMIT_RANGE: commit.range,
    SERVICE_PULL_REQUEST: pull?.number ?? false,
    SERVICE_PULL_REQUEST_BRANCH: pull?.head_branch,
    SERVICE_PULL_REQUEST_IS_DRAFT: pull?.draft,
    SERVICE_PULL_REQUEST_SHA: pull?.head_sha,
    SERVICE_PULL_REQUEST_SLUG: pull?.head_slug,
    SERVICE_TAG: commit.tag_name,
  }
}

/** The keys of language versions, by the name in the variable. */
const versionKeys = {
  DART: 'dart',
  ELIXIR: 'elixir',
  ELM: 'elm',
  GO: 'go',
  HAXE: 'haxe',
  JDK: 'jdk',
  JULIA: 'julia',
  NODE: 'node_js',
  OTP_RELEASE: 'otp_release',
  PERL: 'perl',
  PHP: 'php',
  PYTHON: 'python',
  R: 'r',
  RUBY: 'rvm',
  RUST: 'rust',
  SCALA: 'scala',
}

function configVariables({ config }: ScriptInput, language: string) {
  const versions = Object.entries(versionKeys).flatMap(([name, key]) => {
    const version = firstText(config[key])
    return version === undefined ? [] : [[`SERVICE_${name}_VERSION`, version] as const]
  })
  return {
    SERVICE_COMPILER: firstText(config.compiler),
    SERVICE_LANGUAGE: language,
    SERVICE_OSX_IMAGE: firstText(config.osx_image),
    SERVICE_SUDO: config.sudo === true || config.sudo === 'required',
    ...Object.fromEntries(versions),
  }
}

/** The first bytes of a text, at most so many, in whole characters. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  return new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, '')
}

const detected = bash`
export SERVICE_HOME="$HOME" SERVICE_ROOT=/ SERVICE_TMPDIR="$\{TMPDIR:-/tmp}" SERVICE_BUILD_DIR="$PWD"
export TZ="$\{TZ:-UTC}" RAILS_ENV="$\{RAILS_ENV:-test}" RACK_ENV="$\{RACK_ENV:-test}"
export MERB_ENV="$\{MERB_ENV:-test}"
case $HOSTTYPE in
  x86_64) export SERVICE_CPU_ARCH=amd64 ;;
  aarch64) export SERVICE_CPU_ARCH=arm64 ;;
  *) export SERVICE_CPU_ARCH="$HOSTTYPE" ;;
esac
case $OSTYPE in
  linux*) export SERVICE_OS_NAME=linux ;;
  darwin*) export SERVICE_OS_NAME=osx ;;
  *) export SERVICE_OS_NAME="$OSTYPE" ;;
esac
export SERVICE_DIST="$(__service_release VERSION_CODENAME)" SERVICE_INIT=
if [[ -d /run/systemd/system ]]; then export SERVICE_INIT=systemd; fi`
