"""Static files under names that change with their content, also where one script of ours imports another."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

_kind, _imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns  # noqa: SLF001


class StaticFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage; an import in a script names the file that was there when the script was.

    Django can do that for every script there is or for none; scripts of libraries import what they do not bring.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/phone/*.js", _imports))
