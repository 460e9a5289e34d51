export const expandHelp = `Usage: build-service expand [options] [FILE]

Shows the jobs that a build file makes: number, stage, how they differ, and where each comes from;
then those that are left out, and why. Without FILE it takes the nearest .service.yml, in this
folder or above it in the repository. FILE may be a folder, or - for standard input.

Options:
      --json                    everything, for programs
  -h, --help                    show this

Without any of these every condition counts as true. With one of them there is an event, and
what is left out of it is blank:
      --event <type>            push (the default), pull_request, cron or api
      --branch <name>           its branch; of a pull request the one it goes into
      --tag <name>              the tag that was pushed, which then is the branch as well
      --repo <owner/name>       the repository
      --head-branch <name>      where a pull request comes from
      --head-repo <owner/name>  the repository that it comes from, if that is not --repo
      --fork                    the repository is itself a fork of another one
      --sender <login>          who caused it
      --commit-message <text>   the message of the commit
      --env <NAME=value>        a variable of the repository's settings; repeat it for more

Exit code: 0 when the jobs are shown, 2 when the file cannot be read.

Examples:
  $ build-service expand
  $ build-service expand --branch main
  $ build-service expand --event pull_request --branch main --head-repo octavia/fork
  $ build-service expand --tag v1.0 --json | jq '.dropped[].why'
`
