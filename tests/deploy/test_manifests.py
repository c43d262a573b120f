"""The manifests for Kubernetes (`docs/deploy/kubernetes`): valid, and of one piece with the code.

The schemas are those of Kubernetes 1.37 in their strict form, which knows no field that a server
would drop: the kinds in use, without their descriptions, from the package `kubernetes-validate`
1.37.0 (Apache 2.0).
"""

from __future__ import annotations

import gzip
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
import yaml

from cartulary.settings.table import OF_TOOLS, SETTINGS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/deploy/kubernetes"
SCHEMAS = orjson.loads(
    gzip.decompress((Path(__file__).parent / "kubernetes-1.37.json.gz").read_bytes())
)
NO_RESOURCES = ("kustomization.yaml", "prometheus-adapter.yaml")
Manifest = dict[str, Any]


def read(file: str) -> list[Manifest]:
    """Return the documents of a file."""
    return list(yaml.safe_load_all((FOLDER / file).read_text()))


def list_manifests() -> Iterator[tuple[str, Manifest]]:
    """Return all resources with the names of their files."""
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.name not in NO_RESOURCES:
            for manifest in read(path.name):
                yield path.name, manifest


MANIFESTS = list(list_manifests())
DEPLOYMENTS = {m["metadata"]["name"]: m for _, m in MANIFESTS if m["kind"] == "Deployment"}
PODS = {
    **{name: one["spec"]["template"] for name, one in DEPLOYMENTS.items()},
    **{
        m["metadata"]["name"]: m["spec"]["jobTemplate"]["spec"]["template"]
        for _, m in MANIFESTS
        if m["kind"] == "CronJob"
    },
}


def validate(manifest: Manifest) -> None:
    """Raise `ValidationError` unless a server of Kubernetes would take every field."""
    schema = SCHEMAS["kinds"][f"{manifest['apiVersion']}/{manifest['kind']}"]
    jsonschema.Draft202012Validator({**schema, "$defs": SCHEMAS["$defs"]}).validate(manifest)


@pytest.mark.parametrize(
    "manifest", [m for _, m in MANIFESTS], ids=[f"{f}-{m['kind']}" for f, m in MANIFESTS]
)
def test_a_manifest_has_only_fields_that_kubernetes_knows(manifest: Manifest) -> None:
    validate(manifest)


def test_a_field_that_is_misspelled_is_found() -> None:
    manifest = orjson.loads(orjson.dumps(DEPLOYMENTS["cartulary-web"]))
    spec = manifest["spec"]["template"]["spec"]
    spec["terminationGracePeriod"] = spec.pop("terminationGracePeriodSeconds")
    with pytest.raises(jsonschema.ValidationError, match="terminationGracePeriod"):
        validate(manifest)


def test_the_deployments_run_the_processes_of_the_procfile() -> None:
    lines = (ROOT / "Procfile").read_text().splitlines()
    processes = dict(line.split(": ", 1) for line in lines)
    assert {f"cartulary-{name}": shlex.split(command) for name, command in processes.items()} == {
        name: one["spec"]["template"]["spec"]["containers"][0]["command"]
        for name, one in DEPLOYMENTS.items()
    }


def test_the_kustomization_names_every_file_but_the_example_of_the_secret() -> None:
    (kustomization,) = read("kustomization.yaml")
    files = {path.name for path in FOLDER.glob("*.yaml")}
    assert set(kustomization["resources"]) == files - {*NO_RESOURCES, "secret.example.yaml"}


def test_every_variable_is_a_setting() -> None:
    known = {f"CARTULARY_{name}" for name in SETTINGS} | OF_TOOLS | {"PROMETHEUS_MULTIPROC_DIR"}
    named = {
        name
        for _, manifest in MANIFESTS
        for part in ("data", "stringData")
        for name in manifest.get(part, {})
    }
    named |= {
        variable["name"]
        for pod in PODS.values()
        for container in pod["spec"]["containers"]
        for variable in container.get("env", [])
    }
    assert named
    assert named <= known


@pytest.mark.parametrize("name", PODS)
def test_a_pod_runs_without_rights_and_without_a_writable_root(name: str) -> None:
    spec = PODS[name]["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] > 0
    for container in spec["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"]
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in spec["volumes"]}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_process_that_hangs_is_started_again(name: str) -> None:
    (container,) = DEPLOYMENTS[name]["spec"]["template"]["spec"]["containers"]
    assert "livenessProbe" in container
    assert "startupProbe" in container
    if name == "cartulary-web":
        assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
        return
    life = {variable["name"]: variable["value"] for variable in container["env"]}
    folder = Path(life["CARTULARY_LIFE_FILE"]).parent
    assert str(folder) in {mount["mountPath"] for mount in container["volumeMounts"]}


def test_dispatchers_of_two_releases_never_run_together() -> None:
    assert DEPLOYMENTS["cartulary-dispatcher"]["spec"]["strategy"] == {"type": "Recreate"}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_node_that_is_emptied_leaves_a_process_of_each_role(name: str) -> None:
    budgets = [m for _, m in MANIFESTS if m["kind"] == "PodDisruptionBudget"]
    labels = DEPLOYMENTS[name]["spec"]["template"]["metadata"]["labels"]
    (budget,) = [one for one in budgets if one["spec"]["selector"]["matchLabels"] == labels]
    assert budget["spec"]["maxUnavailable"] < DEPLOYMENTS[name]["spec"]["replicas"]


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_selector_finds_the_pods_of_its_deployment_only(name: str) -> None:
    selector = DEPLOYMENTS[name]["spec"]["selector"]["matchLabels"]
    found = [
        other
        for other, pod in PODS.items()
        if selector.items() <= pod["metadata"]["labels"].items()
    ]
    assert found == [name]


def test_the_service_sends_to_the_web_processes() -> None:
    (service,) = [m for _, m in MANIFESTS if m["kind"] == "Service"]
    labels = DEPLOYMENTS["cartulary-web"]["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == labels


def test_an_autoscaler_scales_a_deployment_from_its_number_of_replicas_on() -> None:
    scalers = [m["spec"] for _, m in MANIFESTS if m["kind"] == "HorizontalPodAutoscaler"]
    assert len(scalers) == 2
    for spec in scalers:
        target = DEPLOYMENTS[spec["scaleTargetRef"]["name"]]
        assert spec["minReplicas"] == target["spec"]["replicas"]


def test_the_workers_are_scaled_by_a_metric_that_the_adapter_offers() -> None:
    (adapter,) = read("prometheus-adapter.yaml")
    offered = {rule["name"]["as"] for rule in adapter["rules"]["external"]}
    asked = {
        metric["external"]["metric"]["name"]
        for _, manifest in MANIFESTS
        if manifest["kind"] == "HorizontalPodAutoscaler"
        for metric in manifest["spec"]["metrics"]
        if metric["type"] == "External"
    }
    assert asked == offered
