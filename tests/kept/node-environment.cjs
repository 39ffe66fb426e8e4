const NodeEnvironment = require('../../sdk/testing/jest/node-environment.cjs');
const keptEnvironment = require('./kept-environment.cjs');

/** One environment for all files under Node that a worker runs. The variables of the process are as at first, too. */
class KeptNodeEnvironment extends keptEnvironment(NodeEnvironment) {
  begin() {
    const { process } = this.global;
    this.variables ??= { ...process.env };
    this.exit ??= process.exit;
  }

  end() {
    const { process } = this.global;
    // Jest wraps it for each file.
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
  }
}

module.exports = KeptNodeEnvironment;
