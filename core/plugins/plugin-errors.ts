import { defineErrors } from '../errors/error-catalogue.ts';

/** All errors by which the plugin manager refuses an operation. */
export const pluginErrors = defineErrors(
  {
    PLUGIN_MANIFEST_INVALID: { status: 400, message: 'The manifest {from} is invalid:\n{description}' },
    PLUGIN_NOT_FOUND: { status: 404, message: "There is no plugin '{plugin}'; install it first." },
    PLUGIN_MISSING: {
      status: 409,
      message: "The folder of plugin '{plugin}' is gone; install it again or remove it.",
    },
    PLUGIN_INCOMPATIBLE: { status: 409, message: "Plugin '{plugin}' cannot run here: {reason}" },
    PLUGIN_NEEDS_OTHERS: {
      status: 409,
      message: "Plugin '{plugin}' needs {needs} to be enabled; enable them as well.",
    },
    PLUGIN_CONFLICT: {
      status: 409,
      message:
        "Plugin '{plugin}' and plugin '{other}' cannot be enabled at the same time; disable one of them.",
    },
    PLUGIN_HAS_DEPENDENTS: {
      status: 409,
      message: "Plugin '{plugin}' is needed by {dependents}; they would be switched off as well.",
    },
    PLUGIN_IS_SYSTEM: {
      status: 409,
      message: "Plugin '{plugin}' is a part of the system and cannot be disabled.",
    },
    PLUGIN_IS_RUNNING: { status: 409, message: "Plugin '{plugin}' is running; disable it first." },
    PLUGIN_NOT_RUNNING: { status: 409, message: "Plugin '{plugin}' is not running; enable it first." },
    PLUGIN_HOST_STOPPING: {
      status: 503,
      message: 'The server is shutting down; nothing is switched on or off any more.',
    },
    PLUGIN_TEST_MISSING: { status: 501, message: 'Plugin test is not implemented' },
    PLUGIN_FAILED: {
      status: 500,
      message: "Plugin '{plugin}' could not be enabled, it failed at '{step}': {reason}",
    },
    PLUGIN_HELD_UP: {
      status: 503,
      message: "Plugin '{plugin}' could not be enabled at the moment, it was held up at '{step}': {reason}",
    },
  },
  'core/plugins',
);
